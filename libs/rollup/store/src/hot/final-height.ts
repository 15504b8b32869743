import type { SqlRow } from '@tetrad/db';
import { batch } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { height, state } = batch.columns;
const FINAL = `SELECT ${height} AS height FROM ${batch.table} WHERE ${state} = 'final' ORDER BY ${height} DESC LIMIT 1`;

/** Height of the latest batch that is final; 0 before the first. */
export async function findFinalHeight(from: Statements): Promise<number> {
  const { rows } = await from.query<SqlRow<typeof batch, 'height'>>({ name: 'final-height', text: FINAL });
  return rows[0]?.height ?? 0;
}
