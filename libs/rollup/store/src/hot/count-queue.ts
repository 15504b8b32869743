import { UNFINISHED } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { BatchQueue } from '../queue-rows.js';
import type { Statements } from '../statements.js';

const { state, size, openedAt } = batch.columns;
const COUNT = `
  SELECT ${state} AS state, ${size} AS size, count(*)::int AS count,
         greatest(extract(epoch FROM now() - min(${openedAt})), 0)::float8 AS "oldestSeconds"
    FROM ${batch.table} WHERE ${state} = ${UNFINISHED}
   GROUP BY ${state}, ${size} ORDER BY ${size}, ${state}`;

/** Batches that are not final by state and size, and the age of the oldest, by the clock of the database. */
export async function countQueue(from: Statements): Promise<BatchQueue['counts']> {
  const { rows } = await from.query<BatchQueue['counts'][number]>({
    name: 'count-queued-batches',
    text: COUNT,
  });
  return rows;
}
