import type { Clock } from '@tetrad/types';

/** How much of what is not proved yet an operator accepts (docs/adr/0251). The same for every process of an operator. */
export interface AcceptanceBounds {
  /** For each account; undefined for none. */
  readonly quota: AccountQuota | undefined;
  /** Operations of accounts that wait to be executed. Registrations are a quarter as many, besides. */
  readonly maxPending: number;
  readonly clock: Pick<Clock, 'now'>;
}

export interface AccountQuota {
  /** That are stored in a window. */
  readonly operations: number;
  /** Windows begin at multiples of it since the epoch, by the clock of the database. */
  readonly windowMs: number;
}

/** Why an operation was not stored, which does not depend on what it says: it is taken later. */
export type Refusal =
  | { readonly refused: 'QUOTA_EXCEEDED'; readonly quota: AccountQuota; readonly retryAfterMs: number }
  | { readonly refused: 'QUEUE_FULL'; readonly maxPending: number };
