import { asBuffer, type Database } from '@tetrad/db';
import { COMMIT_LATER } from '@tetrad/db/client';
import { undeliveredPayload } from '../generated/tables.js';

const { table, columns } = undeliveredPayload;

// Losing this with the host costs pushes that change nothing.
const SETTLE = `
  WITH ${COMMIT_LATER('true')}
  DELETE FROM ${table} USING commit_later WHERE ${columns.hash} = ANY($1::bytea[])`;

/** Forgets that payloads may not be delivered, without a wait for the disk. By a statement, since the client waits. */
export async function settlePayloads(
  { pool }: Pick<Database, 'pool'>,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await pool.query({ name: 'settle-payloads', text: SETTLE, values: [hashes.map(asBuffer)] });
}
