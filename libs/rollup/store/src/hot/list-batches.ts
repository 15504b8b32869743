import { columnsOf, type SqlRow } from '@tetrad/db';
import { BATCH_FIELDS, parseBatch, type BatchState, type StoredBatch } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { state: states, height } = batch.columns;
const LIST = `
  SELECT ${columnsOf(batch, BATCH_FIELDS)} FROM ${batch.table} WHERE ${states} = $1 ORDER BY ${height} LIMIT $2`;

/** The lowest batches in a state. */
export async function listBatches(
  from: Statements,
  state: BatchState,
  limit: number,
): Promise<StoredBatch[]> {
  const { rows } = await from.query<SqlRow<typeof batch, (typeof BATCH_FIELDS)[number]>>({
    name: 'batches-in-state',
    text: LIST,
    values: [state, limit],
  });
  return rows.map(parseBatch);
}
