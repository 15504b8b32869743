import { asBuffer, type Database } from '@tetrad/db';
import type { RawPayload } from '../../enclave/enclave.js';
import { keyToBytes } from '../../keys/key-pair.js';
import { rawPayload } from '../generated/tables.js';

/** A payload, and the hash that its transaction will name. */
export interface HashedRawPayload {
  readonly hash: Uint8Array;
  readonly raw: RawPayload;
}

const { table, columns } = rawPayload;
const INSERT = `
  INSERT INTO ${table}
         (${columns.hash}, ${columns.sender}, ${columns.cipherText}, ${columns.nonce}, ${columns.encryptedKey})
  SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[]) ON CONFLICT DO NOTHING`;

/** Stores payloads that are not stored yet, in one statement. */
export async function insertRawPayloads(
  { pool }: Pick<Database, 'pool'>,
  payloads: readonly HashedRawPayload[],
): Promise<void> {
  const column = (read: (one: HashedRawPayload) => Uint8Array) => payloads.map((one) => asBuffer(read(one)));
  await pool.query({
    name: 'insert-raw-payloads',
    text: INSERT,
    values: [
      column(({ hash }) => hash),
      column(({ raw }) => keyToBytes(raw.sender)),
      column(({ raw }) => raw.cipherText),
      column(({ raw }) => raw.nonce),
      column(({ raw }) => raw.encryptedKey),
    ],
  });
}
