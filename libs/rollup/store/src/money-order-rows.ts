import type { Database } from '@tetrad/db';
import { decodeWord, splitTotalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';

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

type Statements = Pick<Database['pool'], 'query'>;

interface RawOrder {
  readonly total_index: number;
  readonly hash: Buffer;
  /** All fields of the content of an opaque order are null. */
  readonly from_account_id: number | null;
  readonly to_account_id: number | null;
  readonly token_id: number | null;
  readonly amount: string | null;
  readonly blinding_factor: Buffer | null;
  readonly redeemed_height: number | null;
}

const COLUMNS = `money_order.total_index, money_order.hash, money_order.from_account_id, money_order.to_account_id,
  money_order.token_id, money_order.amount, money_order.blinding_factor, money_order.redeemed_height`;

/** Out: those that exist, in no order. */
export async function findMoneyOrders(
  from: Statements,
  totalIndexes: readonly number[],
): Promise<FoundMoneyOrder[]> {
  if (totalIndexes.length === 0) return [];
  const { rows } = await from.query<RawOrder>({
    name: 'money-orders',
    text: `SELECT ${COLUMNS} FROM money_order WHERE total_index = ANY($1::bigint[])`,
    values: [totalIndexes],
  });
  return rows.map(parseOrder);
}

/** Hashes of the orders of batches, by their places. Out: height → hashes; an empty place is 0 */
export async function findBatchOrders(
  from: Statements,
  heights: readonly number[],
): Promise<Map<number, bigint[]>> {
  const orders = new Map(heights.map((height): [number, bigint[]] => [height, []]));
  if (heights.length === 0) return orders;
  const { rows } = await from.query<{ total_index: number; hash: Buffer }>({
    name: 'batch-orders',
    text: 'SELECT total_index, hash FROM money_order WHERE batch_height = ANY($1::bigint[]) ORDER BY total_index',
    values: [heights],
  });
  for (const { total_index, hash } of rows) {
    const { batchHeight, index } = splitTotalIndex(total_index);
    const hashes = orders.get(batchHeight) as bigint[];
    while (hashes.length < index) hashes.push(0n);
    hashes.push(decodeWord(hash));
  }
  return orders;
}

/** The latest order before a total index that an account received. */
export interface PreviousOrderQuery {
  readonly accountId: number;
  readonly before: number;
}

/**
 * In:  orders of a smaller amount do not count
 * Out: for each the total index of the latest received order before it, undefined without one
 */
export async function findPreviousOrders(
  from: Statements,
  queries: readonly PreviousOrderQuery[],
  minAmount: bigint,
): Promise<(number | undefined)[]> {
  if (queries.length === 0) return [];
  const { rows } = await from.query<{ place: number; previous: number | null }>({
    name: 'previous-orders',
    text: `
      SELECT wanted.place::int AS place, previous.total_index AS previous
        FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS wanted (account_id, before, place)
        LEFT JOIN LATERAL (
             SELECT total_index FROM money_order
              WHERE to_account_id = wanted.account_id AND total_index < wanted.before AND amount >= $3
              ORDER BY total_index DESC LIMIT 1) AS previous ON true`,
    values: [
      queries.map(({ accountId }) => accountId),
      ...[queries.map(({ before }) => before), String(minAmount)],
    ],
  });
  const found = new Map(rows.map(({ place, previous }) => [place, previous ?? undefined]));
  return queries.map((_, index) => found.get(index + 1));
}

/**
 * Orders that an account received, by total index. What its redemption index has passed without a redemption is
 * forfeited and in neither list.
 */
export async function listReceivedOrders(
  from: Statements,
  query: ReceivedQuery,
): Promise<StoredMoneyOrder[]> {
  const { rows } = await from.query<RawOrder>({
    name: 'received-orders',
    text: `
      SELECT ${COLUMNS} FROM money_order
       WHERE to_account_id = $1 AND total_index >= $2 AND total_index < ($3::bigint + 1) * 65536
         AND ($4::int IS NULL OR from_account_id = $4)
         AND ($5::numeric IS NULL OR amount >= $5) AND ($6::numeric IS NULL OR amount <= $6)
         AND (redeemed_height IS NOT NULL
              OR total_index > COALESCE((SELECT redemption_index FROM account_version WHERE account_id = $1
                                          ORDER BY batch_height DESC LIMIT 1), 0))
         AND ($7::boolean IS NULL OR (redeemed_height IS NOT NULL) = $7)
       ORDER BY total_index LIMIT $8`,
    values: [
      ...[query.toAccountId, query.fromTotalIndex, query.upToHeight, query.fromAccountId ?? null],
      ...[query.minAmount?.toString() ?? null, query.maxAmount?.toString() ?? null],
      ...[query.redeemed ?? null, query.limit],
    ],
  });
  return rows.map(parseOrder).filter((found): found is StoredMoneyOrder => found.order !== undefined);
}

/** Orders in a batch that accounts received, by total index; opaque ones are of no account that is known. */
export async function findBatchReceived(
  from: Statements,
  height: number,
  accountIds: readonly number[],
): Promise<StoredMoneyOrder[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await from.query<RawOrder>({
    name: 'batch-received',
    text: `SELECT ${COLUMNS} FROM money_order
            WHERE batch_height = $1 AND to_account_id = ANY($2::int[]) ORDER BY total_index`,
    values: [height, accountIds],
  });
  return rows.map(parseOrder).filter((found): found is StoredMoneyOrder => found.order !== undefined);
}

function parseOrder(row: RawOrder): FoundMoneyOrder {
  return {
    ...{ totalIndex: row.total_index, hash: decodeWord(row.hash), order: saidOf(row) },
    redeemedHeight: row.redeemed_height ?? undefined,
  };
}

function saidOf(row: RawOrder): MoneyOrder | undefined {
  const { from_account_id: fromAccountId, to_account_id: toAccountId, token_id: tokenId, amount } = row;
  const blinding = row.blinding_factor;
  if (fromAccountId === null || toAccountId === null || tokenId === null) return undefined;
  if (amount === null || blinding === null) return undefined;
  return {
    fromAccountId,
    toAccountId,
    tokenId,
    amount: BigInt(amount),
    blindingFactor: decodeWord(blinding),
  };
}
