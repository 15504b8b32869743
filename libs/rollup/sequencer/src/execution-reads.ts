import { splitTotalIndex } from '@tetrad/rollup-crypto';
import type { Account, ExecutionView, RollupOperation } from '@tetrad/rollup-state';
import type { PreviousOrderQuery, SequenceStep } from '@tetrad/rollup-store';

type Redemption = Extract<RollupOperation, { kind: 'redeemMoneyOrder' }>;

/** What judging redemptions reads, in one statement for the orders and one for those before them. */
export interface OrderReads {
  /** Total index → hash; what does not exist is missing. */
  readonly orders: ReadonlyMap<number, bigint>;
  /** `account/total index` → the latest received order before it. */
  readonly previous: ReadonlyMap<string, number | undefined>;
}

export async function readOrders(
  step: SequenceStep,
  operations: readonly RollupOperation[],
): Promise<OrderReads> {
  const redemptions = operations.filter((one): one is Redemption => one.kind === 'redeemMoneyOrder');
  const found = await step.moneyOrders(redemptions.map(({ totalIndex }) => totalIndex));
  const queries = redemptions.map(({ order, totalIndex }): PreviousOrderQuery => ({
    accountId: order.toAccountId,
    before: totalIndex,
  }));
  const previous = await step.previousOrders(queries);
  return {
    orders: new Map(found.map(({ totalIndex, hash }) => [totalIndex, hash])),
    previous: new Map(queries.map((query, place) => [placeOf(query), previous[place]])),
  };
}

/**
 * The same for a batch that the chain has accepted: it lets an account redeem past an open order, which forfeits it, and so
 * there is none before.
 */
export async function readOrdersOfChain(
  step: SequenceStep,
  operations: readonly RollupOperation[],
): Promise<OrderReads> {
  const { orders } = await readOrders(step, operations);
  return { orders, previous: new Map() };
}

/** In: the height of the batch in which the operation would be: orders of earlier ones count. */
export function executionView(
  account: (id: number) => Account | undefined,
  reads: OrderReads,
  height: () => number,
): ExecutionView {
  return {
    account,
    order: (totalIndex) =>
      splitTotalIndex(totalIndex).batchHeight < height() ? reads.orders.get(totalIndex) : undefined,
    hasOpenOrder(accountId, after, before) {
      const previous = reads.previous.get(placeOf({ accountId, before }));
      return previous !== undefined && previous > after;
    },
  };
}

const placeOf = ({ accountId, before }: PreviousOrderQuery) => `${accountId}/${before}`;
