import type { MoneyOrder } from '@tetrad/rollup-crypto';
import {
  creditAfter,
  directOrder,
  executeOperation,
  type Account,
  type CreditBatch,
  type KnownAccount,
  type RollupOperation,
  type StateView,
} from '@tetrad/rollup-state';

/** A payment or deposit, and what its receiver is after the credit. */
export interface PlannedCredit {
  readonly order: MoneyOrder;
  readonly after: Account;
}

/** Where a credit would be, and what it is checked against. */
interface CreditConditions {
  /** The batch of the operation and its credit. */
  readonly height: number;
  readonly receiver: (order: MoneyOrder) => KnownAccount | undefined;
  readonly view: StateView;
}

/** Which payments and deposits are credited at once, in place of an order that the receiver redeems. */
export class DirectCredits {
  /** @param domain - the rollup, where it has consents: what may be credited is; undefined where nothing is */
  constructor(private readonly domain: bigint | undefined) {}

  /** The batch of credits at a height; undefined where nothing is credited. */
  batchAt(height: number): CreditBatch | undefined {
    return this.domain === undefined ? undefined : { domain: this.domain, height, before: undefined };
  }

  /**
   * What an operation that can be executed credits.
   * @returns undefined where it becomes an order
   */
  creditOf(
    operation: RollupOperation,
    { height, receiver, view }: CreditConditions,
  ): PlannedCredit | undefined {
    const { domain } = this;
    const order = directOrder(operation);
    if (domain === undefined || order === undefined) return undefined;
    const before = receiver(order);
    const credit = creditAfter({ domain, height }, operation, before);
    if (credit === undefined) return undefined;
    const credits = { domain, height, before: order };
    const execution = executeOperation({ ...view, account: () => before, credits }, credit);
    if (execution.status !== 'EXECUTED') return undefined;
    return { order, after: execution.effects.after as Account };
  }
}
