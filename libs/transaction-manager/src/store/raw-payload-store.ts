import { CommitGroup, LookupGroup, asBuffer, type Database } from '@tetrad/db';
import type pg from 'pg';
import type { RawPayload } from '../enclave/enclave.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { payloadHash } from '../payload/encoded-payload.js';
import { RecentPayloads } from './recent-payloads.js';

interface RawRow {
  readonly hash: Buffer;
  readonly sender: Buffer;
  readonly cipher_text: Buffer;
  readonly nonce: Buffer;
  readonly encrypted_key: Buffer;
}

interface Added {
  readonly hash: Uint8Array;
  readonly raw: RawPayload;
}

/** Bytes of payloads that one statement writes, unless one payload is larger. */
const GROUP_BYTES = 16 * 1_048_576;

/** Statements that read payloads at a time. */
const READS = 2;

/**
 * Rows of payloads that wait for their signed transaction. A payload is read twice soon after it was stored, for the dry
 * run and when it is sent, so that the newest ones are remembered, as encrypted as they are stored.
 */
export class RawPayloadStore {
  private readonly additions: CommitGroup<Added, undefined>;
  private readonly lookups: LookupGroup<RawRow>;
  private readonly recent = new RecentPayloads<RawPayload>();

  constructor(database: Pick<Database, 'pool'>) {
    this.additions = new CommitGroup((added) => insertAll(database.pool, added), {
      bytes: { of: ({ raw }) => raw.cipherText.length, group: GROUP_BYTES },
    });
    this.lookups = new LookupGroup({
      statements: READS,
      start: setImmediate,
      read: (hashes) => readAll(database.pool, hashes),
      keyOf: ({ hash }) => hash,
    });
  }

  /** Stores the payload. Out: its hash, 64 bytes */
  async add(raw: RawPayload): Promise<Uint8Array> {
    const hash = payloadHash(raw);
    await this.additions.add({ hash, raw });
    this.recent.add(hash, raw, raw.cipherText.length);
    return hash;
  }

  /** Undefined when the payload is not stored. */
  async find(hash: Uint8Array): Promise<RawPayload | undefined> {
    const recent = this.recent.find(hash);
    if (recent !== undefined) return recent;
    const row = await this.lookups.find(hash);
    return row && toRawPayload(row);
  }
}

async function insertAll(pool: pg.Pool, added: readonly Added[]): Promise<undefined[]> {
  const column = (read: (one: Added) => Uint8Array) => added.map((one) => asBuffer(read(one)));
  await pool.query({
    name: 'insert-raw-payloads',
    text: `INSERT INTO raw_payload (hash, sender, cipher_text, nonce, encrypted_key)
           SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[])
               ON CONFLICT DO NOTHING`,
    values: [
      column(({ hash }) => hash),
      column(({ raw }) => keyToBytes(raw.sender)),
      column(({ raw }) => raw.cipherText),
      column(({ raw }) => raw.nonce),
      column(({ raw }) => raw.encryptedKey),
    ],
  });
  return added.map(() => undefined);
}

async function readAll(pool: pg.Pool, hashes: readonly Buffer[]): Promise<RawRow[]> {
  const { rows } = await pool.query<RawRow>({
    name: 'find-raw-payloads',
    text: 'SELECT hash, sender, cipher_text, nonce, encrypted_key FROM raw_payload WHERE hash = ANY($1::bytea[])',
    values: [hashes],
  });
  return rows;
}

function toRawPayload(row: RawRow): RawPayload {
  return {
    sender: keyFromBytes(row.sender),
    cipherText: row.cipher_text,
    nonce: row.nonce,
    encryptedKey: row.encrypted_key,
  };
}
