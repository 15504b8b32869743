import { UNFINISHED_STATES } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { QueuedState } from '../queue-rows.js';
import type { Statements } from '../statements.js';

const COUNT = `
  SELECT state, (SELECT count(*) FROM ${batch.table} WHERE ${batch.table}.${batch.columns.state} = asked.state) AS count
    FROM unnest(ARRAY[${UNFINISHED_STATES.map((state) => `'${state}'`).join(', ')}]) AS asked (state)`;

/** How many there are in each of the states before the last. */
export async function countBatches(from: Statements): Promise<ReadonlyMap<QueuedState, number>> {
  const { rows } = await from.query<{ state: QueuedState; count: number }>({
    name: 'count-batches',
    text: COUNT,
  });
  return new Map(rows.map(({ state, count }) => [state, count]));
}
