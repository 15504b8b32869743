import { columnsOf, type SqlRow } from '@tetrad/db';
import { accountVersion, moneyOrder } from '../generated/tables.js';
import {
  ORDER_FIELDS,
  isReadable,
  parseOrder,
  type ReceivedQuery,
  type StoredMoneyOrder,
} from '../money-order-rows.js';
import type { Statements } from '../statements.js';

const { columns } = moneyOrder;
const { table: versions, columns: version } = accountVersion;

/** Of one snapshot with the redemption index: what that has passed without a redemption is forfeited and in neither list. */
const LIST = `
  SELECT ${columnsOf(moneyOrder, ORDER_FIELDS)} FROM ${moneyOrder.table}
   WHERE ${columns.toAccountId} = $1 AND ${columns.totalIndex} >= $2 AND ${columns.totalIndex} < ($3::bigint + 1) * 65536
     AND ($4::int IS NULL OR ${columns.fromAccountId} = $4)
     AND ($5::numeric IS NULL OR ${columns.amount} >= $5) AND ($6::numeric IS NULL OR ${columns.amount} <= $6)
     AND (${columns.redeemedHeight} IS NOT NULL
          OR ${columns.totalIndex} > COALESCE((SELECT ${version.redemptionIndex} FROM ${versions}
                                                WHERE ${version.accountId} = $1
                                                ORDER BY ${version.batchHeight} DESC LIMIT 1), 0))
     AND ($7::boolean IS NULL OR (${columns.redeemedHeight} IS NOT NULL) = $7)
   ORDER BY ${columns.totalIndex} LIMIT $8`;

/** Orders that an account received, by total index. */
export async function listReceivedOrders(
  from: Statements,
  query: ReceivedQuery,
): Promise<StoredMoneyOrder[]> {
  const { rows } = await from.query<SqlRow<typeof moneyOrder, (typeof ORDER_FIELDS)[number]>>({
    name: 'received-orders',
    text: LIST,
    values: [
      query.toAccountId,
      query.fromTotalIndex,
      query.upToHeight,
      query.fromAccountId ?? null,
      query.minAmount?.toString() ?? null,
      query.maxAmount?.toString() ?? null,
      query.redeemed ?? null,
      query.limit,
    ],
  });
  return rows.map(parseOrder).filter(isReadable);
}
