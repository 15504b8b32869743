import { UNFINISHED } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { QueuedState } from '../queue-rows.js';
import type { Statements } from '../statements.js';

const { state: states, openedAt } = batch.columns;
const OLDEST = `
  SELECT ${states} AS state, extract(epoch FROM now() - min(${openedAt}))::float8 AS age
    FROM ${batch.table} WHERE ${states} = ${UNFINISHED} GROUP BY ${states}`;

/** State → seconds since the oldest batch in it was opened, by the clock of the database. */
export async function oldestBatches(from: Statements): Promise<ReadonlyMap<QueuedState, number>> {
  const { rows } = await from.query<{ state: QueuedState; age: number }>({
    name: 'oldest-batches',
    text: OLDEST,
  });
  return new Map(rows.map(({ state, age }) => [state, Math.max(age, 0)]));
}
