import type { BatchPlace } from '../execution-rows.js';
import { opaquePlace } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = opaquePlace;
const DELETE = `
  DELETE FROM ${table} USING unnest($1::bigint[], $2::int[]) AS read (height, place)
   WHERE ${columns.batchHeight} = read.height AND ${columns.batchIndex} = read.place`;

/** Forgets places that are read now. */
export async function deleteOpaquePlaces(
  statements: Statements,
  places: readonly BatchPlace[],
): Promise<void> {
  if (places.length === 0) return;
  await statements.query({
    name: 'delete-opaque-places',
    text: DELETE,
    values: [places.map(({ batchHeight }) => batchHeight), places.map(({ batchIndex }) => batchIndex)],
  });
}
