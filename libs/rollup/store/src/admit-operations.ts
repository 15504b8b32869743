import type { AcceptanceBounds, Refusal } from './acceptance-bounds.js';
import { maxOfAccount, maxRegistrations, type QueueLevel } from './queue-share.js';

/** An operation that asks to be stored. */
export interface Arrival {
  /** Undefined for a registration. */
  readonly accountId: number | undefined;
  /** Pending or executed already: there is nothing to decide. */
  readonly isKnown: boolean;
  /** It was rejected, and comes again: its row was counted. */
  readonly isAgain: boolean;
  /** A pending one of its account makes room for it. */
  readonly replaces: boolean;
  /** Places of batches that it may take, as which it counts for the quota. */
  readonly places: number;
}

/** What accounts have had and have waiting, which admitting changes. */
export interface AccountCounts {
  /** Of the present window. */
  readonly used: Map<number, number>;
  readonly pending: Map<number, number>;
}

/** Decides one operation after the other: a function of what was read, without a bound of its own. */
export class Admitting {
  private operations: number;
  private accounts: number;
  private registrations: number;

  /**
   * @param bounds - of the operator
   * @param level - as it was read
   * @param counts - of the accounts that are asked about
   * @param windowEndsInMs - of the quota
   */
  constructor(
    private readonly bounds: Pick<AcceptanceBounds, 'quota' | 'maxPending'>,
    level: QueueLevel,
    private readonly counts: AccountCounts,
    private readonly windowEndsInMs: number,
  ) {
    ({ operations: this.operations, accounts: this.accounts, registrations: this.registrations } = level);
  }

  /** With what was admitted. */
  get level(): QueueLevel {
    return { operations: this.operations, accounts: this.accounts, registrations: this.registrations };
  }

  /** @returns why it is not stored; undefined when it is */
  admit(arrival: Arrival): Refusal | undefined {
    if (arrival.isKnown) return undefined;
    const { accountId, isAgain, replaces } = arrival;
    if (accountId === undefined) return this.admitRegistration();
    const refusal =
      (isAgain ? undefined : this.refusedByQuota(accountId)) ??
      (replaces ? undefined : this.refusedByQueue(accountId));
    if (refusal === undefined) this.note(accountId, arrival);
    return refusal;
  }

  private admitRegistration(): Refusal | undefined {
    const { maxPending } = this.bounds;
    if (this.registrations >= maxRegistrations(maxPending)) return { refused: 'QUEUE_FULL', maxPending };
    this.registrations += 1;
    return undefined;
  }

  private refusedByQuota(accountId: number): Refusal | undefined {
    const { quota } = this.bounds;
    if (quota === undefined || (this.counts.used.get(accountId) ?? 0) < quota.operations) return undefined;
    return { refused: 'QUOTA_EXCEEDED', quota, retryAfterMs: this.windowEndsInMs };
  }

  private refusedByQueue(accountId: number): Refusal | undefined {
    const { maxPending } = this.bounds;
    const own = this.counts.pending.get(accountId) ?? 0;
    return own < maxOfAccount(this.level, maxPending) ? undefined : { refused: 'QUEUE_FULL', maxPending };
  }

  private note(accountId: number, { isAgain, replaces, places }: Arrival): void {
    const { used, pending } = this.counts;
    if (!isAgain) used.set(accountId, (used.get(accountId) ?? 0) + places);
    if (replaces) return;
    const own = pending.get(accountId) ?? 0;
    pending.set(accountId, own + 1);
    this.operations += 1;
    if (own === 0) this.accounts += 1;
  }
}
