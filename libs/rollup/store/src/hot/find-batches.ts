import { columnsOf, type SqlRow } from '@tetrad/db';
import { BATCH_FIELDS, parseBatch, type StoredBatch } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { height } = batch.columns;
const FIND = `
  SELECT ${columnsOf(batch, BATCH_FIELDS)} FROM ${batch.table} WHERE ${height} = ANY($1::bigint[]) ORDER BY ${height}`;

/** Reads batches by their heights. */
export async function findBatches(from: Statements, heights: readonly number[]): Promise<StoredBatch[]> {
  const { rows } = await from.query<SqlRow<typeof batch, (typeof BATCH_FIELDS)[number]>>({
    name: 'batches',
    text: FIND,
    values: [heights],
  });
  return rows.map(parseBatch);
}
