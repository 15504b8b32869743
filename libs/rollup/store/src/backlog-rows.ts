import { countPending } from './hot/count-pending.js';
import { oldestBatches } from './hot/oldest-batches.js';
import type { QueuedState } from './queue-rows.js';
import type { Statements } from './statements.js';

/** What waits in an operator's database. */
export interface Backlog {
  /** Operations that are accepted and not executed. */
  readonly pendingOperations: number;
  /** Accounts that have some of them. */
  readonly pendingAccounts: number;
  /** Since the oldest operation that can be executed was accepted, in seconds; 0 without one. */
  readonly oldestOperationSeconds: number;
  /** State → seconds since the oldest batch in it was opened; a state without a batch is missing. */
  readonly oldestBatchSeconds: ReadonlyMap<QueuedState, number>;
}

export async function readBacklog(from: Statements): Promise<Backlog> {
  const { pending, accounts, oldestSeconds } = await countPending(from);
  return {
    pendingOperations: pending,
    pendingAccounts: accounts,
    oldestOperationSeconds: oldestSeconds,
    oldestBatchSeconds: await oldestBatches(from),
  };
}
