import { asBuffer, type Database } from '@tetrad/db';
import { payload, undeliveredPayload } from '../generated/tables.js';

const undelivered = undeliveredPayload.columns;

const WITHDRAW = `
  WITH withdrawn AS (
    DELETE FROM ${undeliveredPayload.table} WHERE ${undelivered.hash} = $1 RETURNING ${undelivered.hash} AS hash
  )
  DELETE FROM ${payload.table} USING withdrawn WHERE ${payload.table}.${payload.columns.hash} = withdrawn.hash`;

/** Removes a payload of which it is not known that all recipients have it, in one statement; one that was settled stays. */
export async function withdrawPayload({ pool }: Pick<Database, 'pool'>, hash: Uint8Array): Promise<void> {
  await pool.query({ name: 'withdraw-payload', text: WITHDRAW, values: [asBuffer(hash)] });
}
