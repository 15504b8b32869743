import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { payload } from '../generated/tables.js';

const FIELDS = ['hash', 'encoded'] as const;

/** A payload that was found by its hash. */
export type FoundPayload = SqlRow<typeof payload, (typeof FIELDS)[number]>;

const FIND = `
  SELECT ${columnsOf(payload, FIELDS)} FROM ${payload.table} WHERE ${payload.columns.hash} = ANY($1::bytea[])`;

/** Reads payloads of many hashes in one statement, planned once for a connection. */
export async function findPayloads(
  { pool }: Pick<Database, 'pool'>,
  hashes: readonly Buffer[],
): Promise<readonly FoundPayload[]> {
  return (await pool.query<FoundPayload>({ name: 'find-payloads', text: FIND, values: [hashes] })).rows;
}
