import { moneyOrder } from '../generated/tables.js';
import type { PreviousOrderQuery } from '../money-order-rows.js';
import type { Statements } from '../statements.js';

const { totalIndex, toAccountId, amount } = moneyOrder.columns;
const FIND = `
  SELECT wanted.place::int AS place, found.previous
    FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS wanted (account, before, place)
    LEFT JOIN LATERAL (
         SELECT ${totalIndex} AS previous FROM ${moneyOrder.table}
          WHERE ${toAccountId} = wanted.account AND ${totalIndex} < wanted.before AND ${amount} >= $3
          ORDER BY ${totalIndex} DESC LIMIT 1) AS found ON true`;

/**
 * @param minAmount - orders of a smaller amount do not count
 * @returns for each the total index of the latest received order before it, undefined without one
 */
export async function findPreviousOrders(
  from: Statements,
  queries: readonly PreviousOrderQuery[],
  minAmount: bigint,
): Promise<(number | undefined)[]> {
  if (queries.length === 0) return [];
  const { rows } = await from.query<{ place: number; previous: number | null }>({
    name: 'previous-orders',
    text: FIND,
    values: [
      queries.map(({ accountId }) => accountId),
      queries.map(({ before }) => before),
      String(minAmount),
    ],
  });
  const found = new Map(rows.map(({ place, previous }) => [place, previous ?? undefined]));
  return queries.map((_, index) => found.get(index + 1));
}
