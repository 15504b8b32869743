import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { rawPayload } from '../generated/tables.js';

const FIELDS = ['hash', 'sender', 'cipherText', 'nonce', 'encryptedKey'] as const;

/** A raw payload that was found by its hash. */
export type FoundRawPayload = SqlRow<typeof rawPayload, (typeof FIELDS)[number]>;

const FIND = `
  SELECT ${columnsOf(rawPayload, FIELDS)} FROM ${rawPayload.table}
   WHERE ${rawPayload.columns.hash} = ANY($1::bytea[])`;

/** Reads raw payloads of many hashes in one statement, planned once for a connection. */
export async function findRawPayloads(
  { pool }: Pick<Database, 'pool'>,
  hashes: readonly Buffer[],
): Promise<readonly FoundRawPayload[]> {
  return (await pool.query<FoundRawPayload>({ name: 'find-raw-payloads', text: FIND, values: [hashes] }))
    .rows;
}
