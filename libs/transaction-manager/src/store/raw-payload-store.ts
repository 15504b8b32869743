import { asBuffer, type Database } from '@tetrad/db';
import type { RawPayload } from '../enclave/enclave.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { payloadHash } from '../payload/encoded-payload.js';

interface RawRow {
  readonly sender: Buffer;
  readonly cipher_text: Buffer;
  readonly nonce: Buffer;
  readonly encrypted_key: Buffer;
}

/** Rows of payloads that wait for their signed transaction. */
export class RawPayloadStore {
  constructor(private readonly database: Database) {}

  /** Stores the payload. Out: its hash, 64 bytes */
  async add(raw: RawPayload): Promise<Uint8Array> {
    const hash = payloadHash(raw);
    await this.database.pool.query({
      name: 'insert-raw-payload',
      text: `INSERT INTO raw_payload (hash, sender, cipher_text, nonce, encrypted_key) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING`,
      values: [hash, keyToBytes(raw.sender), raw.cipherText, raw.nonce, raw.encryptedKey].map(asBuffer),
    });
    return hash;
  }

  /** Undefined when the payload is not stored. */
  async find(hash: Uint8Array): Promise<RawPayload | undefined> {
    const { rows } = await this.database.pool.query<RawRow>({
      name: 'find-raw-payload',
      text: 'SELECT sender, cipher_text, nonce, encrypted_key FROM raw_payload WHERE hash = $1',
      values: [asBuffer(hash)],
    });
    return rows[0] === undefined ? undefined : toRawPayload(rows[0]);
  }
}

function toRawPayload(row: RawRow): RawPayload {
  return {
    sender: keyFromBytes(row.sender),
    cipherText: row.cipher_text,
    nonce: row.nonce,
    encryptedKey: row.encrypted_key,
  };
}
