import type { PlannedBatch, PlannedTransfer } from './exit-plan.js';
import type { RequestTimes } from './turn-requests.js';

/** A transfer of the plan, and when its request is due; undefined without an open one. */
export interface SeenTransfer extends PlannedTransfer {
  readonly times: RequestTimes | undefined;
}

export interface SeenBatch extends PlannedBatch {
  readonly transfers: readonly SeenTransfer[];
}

export type ExitStep =
  /** Nothing is left in the account. */
  | { readonly do: 'end' }
  | { readonly do: 'request'; readonly transfer: PlannedTransfer }
  /** @param now - Unix time in seconds */
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'submit'; readonly batch: PlannedBatch };

/**
 * What an exit does next: a pure function of the plan, the requests on the chain and the time of its latest block. All
 * transfers are requested before the first batch, so that they wait at the same time.
 */
export function nextExitStep(plan: readonly SeenBatch[], now: number): ExitStep {
  const [first] = plan;
  if (first === undefined) return { do: 'end' };
  const transfers = plan.flatMap((batch) => batch.transfers);
  const missing = transfers.find(({ times }) => times === undefined || now >= times.expiresAt);
  // An overdue batch does not wait for a request that was made for what came later.
  if (isOverdue(first, now)) return { do: 'submit', batch: first };
  if (missing !== undefined) return { do: 'request', transfer: missing };
  const due = first.transfers.map(({ times }) => times?.overdueAt ?? now);
  return { do: 'wait', until: Math.min(...due) };
}

function isOverdue({ transfers }: SeenBatch, now: number): boolean {
  return transfers.some(
    ({ times }) => times !== undefined && now >= times.overdueAt && now < times.expiresAt,
  );
}
