import type { Database } from '@tetrad/db';
import type { BatchState } from './batch-rows.js';

type UnfinishedState = Exclude<BatchState, 'final'>;

/** What waits in an operator's database. */
export interface Backlog {
  /** Operations that are accepted and not executed. */
  readonly pendingOperations: number;
  /** Since the oldest operation that can be executed was accepted, in seconds; 0 without one. */
  readonly oldestOperationSeconds: number;
  /** State → seconds since the oldest batch in it was opened; a state without a batch is missing. */
  readonly oldestBatchSeconds: ReadonlyMap<UnfinishedState, number>;
}

export async function readBacklog(from: Pick<Database['pool'], 'query'>): Promise<Backlog> {
  const operations = await from.query<{ pending: number; oldest: number }>({
    name: 'count-pending-operations',
    // Both conditions are those of partial indexes.
    text: `SELECT (SELECT count(*) FROM operation WHERE status = 'PENDING') AS pending,
                  coalesce(extract(epoch FROM now() - (
                    SELECT accepted_at FROM operation WHERE status = 'PENDING' AND NOT waiting
                     ORDER BY sequence LIMIT 1)), 0)::float8 AS oldest`,
  });
  const batches = await from.query<{ state: UnfinishedState; age: number }>({
    name: 'oldest-batches',
    text: `SELECT state, extract(epoch FROM now() - min(opened_at))::float8 AS age
             FROM batch WHERE state = ANY(ARRAY['open', 'sealed', 'proving', 'proven', 'submitted'])
            GROUP BY state`,
  });
  const { pending = 0, oldest = 0 } = operations.rows[0] ?? {};
  return {
    pendingOperations: pending,
    oldestOperationSeconds: Math.max(oldest, 0),
    oldestBatchSeconds: new Map(batches.rows.map(({ state, age }) => [state, Math.max(age, 0)])),
  };
}
