import { splitTotalIndex } from '@tetrad/rollup-crypto';
import type { KnownAccount, RollupOperation, StateView } from '@tetrad/rollup-state';
import type { PreviousOrderQuery, SequenceStep } from '@tetrad/rollup-store';

type Redemption = Extract<RollupOperation, { kind: 'redeemMoneyOrder' }>;

/** What checking redemptions reads, in one statement for the orders and one for those before them. */
export interface OrderReads {
  /** Total index → hash; what does not exist is missing. */
  readonly orders: ReadonlyMap<number, bigint>;
  /** `account/total index` → the latest received order before it. */
  readonly previous: ReadonlyMap<string, number | undefined>;
}

/** @param minOrderAmount - open orders of a smaller amount do not keep later ones from being redeemed */
export async function readOrders(
  step: SequenceStep,
  operations: readonly RollupOperation[],
  minOrderAmount: bigint,
): Promise<OrderReads> {
  const queries = redemptionsOf(operations).map(({ order, totalIndex }): PreviousOrderQuery => ({
    accountId: order.toAccountId,
    before: totalIndex,
  }));
  const previous = await step.previousOrders(queries, minOrderAmount);
  return {
    orders: await readOrderHashes(step, operations),
    previous: new Map(queries.map((query, place) => [placeOf(query), previous[place]])),
  };
}

/** Total index → hash, of the orders that are redeemed. */
export async function readOrderHashes(
  step: SequenceStep,
  operations: readonly RollupOperation[],
): Promise<ReadonlyMap<number, bigint>> {
  const found = await step.moneyOrders(redemptionsOf(operations).map(({ totalIndex }) => totalIndex));
  return new Map(found.map(({ totalIndex, hash }) => [totalIndex, hash]));
}

const redemptionsOf = (operations: readonly RollupOperation[]) =>
  operations.filter((one): one is Redemption => one.kind === 'redeemMoneyOrder');

/** @param height - of the batch in which the operation would be: orders of earlier ones count */
export function executionView(
  account: (id: number) => KnownAccount | undefined,
  reads: OrderReads,
  height: () => number,
): StateView {
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
