import { asBuffer } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import type { PoolClient } from 'pg';
import { payload } from '../generated/tables.js';

const LOCK = `
  SELECT ${columnsOf(payload, ['encoded'])} FROM ${payload.table} WHERE ${payload.columns.hash} = $1 FOR UPDATE`;

/**
 * Reads a payload and locks its row until the transaction ends.
 *
 * @returns its encoding; undefined when it is not stored
 */
export async function lockPayload(
  statements: Pick<PoolClient, 'query'>,
  hash: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { rows } = await statements.query<SqlRow<typeof payload, 'encoded'>>({
    name: 'lock-payload',
    text: LOCK,
    values: [asBuffer(hash)],
  });
  return rows[0]?.encoded;
}
