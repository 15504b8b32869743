import { CommitGroup, LookupGroup, type Database } from '@tetrad/db';
import type { RawPayload } from '../enclave/enclave.js';
import { keyFromBytes } from '../keys/key-pair.js';
import { payloadHash } from '../payload/encoded-payload.js';
import { findRawPayloads, type FoundRawPayload } from './hot/find-raw-payloads.js';
import { insertRawPayloads, type HashedRawPayload } from './hot/insert-raw-payloads.js';
import { RecentPayloads } from './recent-payloads.js';

/** Bytes of payloads that one statement writes, unless one payload is larger. */
const GROUP_BYTES = 16 * 1_048_576;

/** Statements that read payloads at a time. */
const READS = 2;

/**
 * Rows of payloads that wait for their signed transaction. A payload is read twice soon after it was stored, for the dry
 * run and when it is sent, so that the newest ones are remembered, as encrypted as they are stored.
 */
export class RawPayloadStore {
  private readonly additions: CommitGroup<HashedRawPayload, undefined>;
  private readonly lookups: LookupGroup<FoundRawPayload>;
  private readonly recent = new RecentPayloads<RawPayload>();
  private readonly unsent = new RecentPayloads<true>();

  constructor(database: Pick<Database, 'pool'>) {
    this.additions = new CommitGroup((added) => insertAll(database, added), {
      bytes: { of: ({ raw }) => raw.cipherText.length, group: GROUP_BYTES },
    });
    this.lookups = new LookupGroup({
      statements: READS,
      start: setImmediate,
      read: (hashes) => findRawPayloads(database, hashes),
      keyOf: ({ hash }) => hash,
    });
  }

  /**
   * Stores the payload.
   * @returns its hash, 64 bytes
   */
  async add(raw: RawPayload): Promise<Uint8Array> {
    const hash = payloadHash(raw);
    await this.additions.add({ hash, raw });
    this.recent.add(hash, raw, raw.cipherText.length);
    this.unsent.add(hash, true, hash.length);
    return hash;
  }

  /**
   * Whether the payload was surely never sent: it was stored here, under a key made for it, and this is the first time that this is
   * asked. So that the first send need not look for one in the database.
   */
  takeUnsent(hash: Uint8Array): boolean {
    return this.unsent.take(hash) === true;
  }

  /** Undefined when the payload is not stored. */
  async find(hash: Uint8Array): Promise<RawPayload | undefined> {
    const recent = this.recent.find(hash);
    if (recent !== undefined) return recent;
    const row = await this.lookups.find(hash);
    return row && toRawPayload(row);
  }
}

async function insertAll(
  database: Pick<Database, 'pool'>,
  added: readonly HashedRawPayload[],
): Promise<undefined[]> {
  await insertRawPayloads(database, added);
  return added.map(() => undefined);
}

function toRawPayload({ sender, cipherText, nonce, encryptedKey }: FoundRawPayload): RawPayload {
  return { sender: keyFromBytes(sender), cipherText, nonce, encryptedKey };
}
