/** What waits to be executed. */
export interface QueueLevel {
  /** Of accounts, but for those that wait for a nonce before theirs. */
  readonly operations: number;
  /** Accounts that have one or more of these. */
  readonly accounts: number;
  readonly registrations: number;
}

/** Registrations have so many places for one of operations: each needs a proof, and a stranger can make any number. */
const REGISTRATIONS_PART = 1 / 4;

/** @returns registrations that may wait, besides the operations */
export function maxRegistrations(maxPending: number): number {
  return Math.max(1, Math.floor(maxPending * REGISTRATIONS_PART));
}

/**
 * How many operations an account may have waiting. Below a half there is nothing to share, up to three quarters each account has an
 * equal part of the half, and the rest is for accounts of which nothing waits: as many of them as a quarter has places are needed to
 * keep another one out.
 *
 * @param level - before the operation that is asked for
 * @param maxPending - of which the parts are
 * @returns Infinity where there is no bound for an account
 */
export function maxOfAccount(
  { operations, accounts }: Pick<QueueLevel, 'operations' | 'accounts'>,
  maxPending: number,
): number {
  if (operations < maxPending / 2) return Infinity;
  if (operations < (3 * maxPending) / 4) return equalShare(accounts, maxPending);
  return operations < maxPending ? 1 : 0;
}

/** @returns what each of these accounts and one more may have while the queue is half full, at least one */
export function equalShare(accounts: number, maxPending: number): number {
  return Math.max(1, Math.floor(maxPending / 2 / (accounts + 1)));
}
