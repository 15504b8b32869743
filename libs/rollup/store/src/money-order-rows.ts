import { decodeWord, type MoneyOrder } from '@tetrad/rollup-crypto';
import type { moneyOrder } from './generated/tables.js';
import { integerOf, numberOf, type ReadRow } from './read-row.js';

/** A money order in a batch. */
export interface StoredMoneyOrder {
  readonly totalIndex: number;
  readonly hash: bigint;
  readonly order: MoneyOrder;
  /** The batch in which it was redeemed. */
  readonly redeemedHeight: number | undefined;
}

/** The same, or an opaque one, which was created in a batch of another submitter and cannot be read. */
export type FoundMoneyOrder = Omit<StoredMoneyOrder, 'order'> & { readonly order: MoneyOrder | undefined };

/** Which received orders a page holds. */
export interface ReceivedQuery {
  readonly toAccountId: number;
  readonly fromTotalIndex: number;
  /** Batches up to it count. */
  readonly upToHeight: number;
  readonly fromAccountId?: number | undefined;
  /** Only what was redeemed, or only what can be. */
  readonly redeemed?: boolean | undefined;
  readonly minAmount?: bigint | undefined;
  readonly maxAmount?: bigint | undefined;
  readonly limit: number;
}

/** The latest order before a total index that an account received. */
export interface PreviousOrderQuery {
  readonly accountId: number;
  readonly before: number;
}

/** What is read of an order. */
export const ORDER_FIELDS = [
  'totalIndex',
  'hash',
  'fromAccountId',
  'toAccountId',
  'tokenId',
  'amount',
  'blindingFactor',
  'redeemedHeight',
] as const;

/** An order, by the client or by a statement; all fields of the content of an opaque one are null. */
type ReadOrder = ReadRow<typeof moneyOrder, (typeof ORDER_FIELDS)[number]>;

export function parseOrder(row: ReadOrder): FoundMoneyOrder {
  return {
    totalIndex: Number(row.totalIndex),
    hash: decodeWord(row.hash),
    order: saidOf(row),
    redeemedHeight: numberOf(row.redeemedHeight),
  };
}

/** Whether what the order says is known. */
export function isReadable(found: FoundMoneyOrder): found is StoredMoneyOrder {
  return found.order !== undefined;
}

function saidOf({ fromAccountId, toAccountId, tokenId, amount, blindingFactor }: ReadOrder) {
  if (fromAccountId === null || toAccountId === null || tokenId === null) return undefined;
  if (amount === null || blindingFactor === null) return undefined;
  return {
    fromAccountId,
    toAccountId,
    tokenId,
    amount: integerOf(amount),
    blindingFactor: decodeWord(blindingFactor),
  } satisfies MoneyOrder;
}
