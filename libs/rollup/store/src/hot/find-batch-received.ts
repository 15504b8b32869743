import { columnsOf, type SqlRow } from '@tetrad/db';
import { moneyOrder } from '../generated/tables.js';
import { ORDER_FIELDS, isReadable, parseOrder, type StoredMoneyOrder } from '../money-order-rows.js';
import type { Statements } from '../statements.js';

const { batchHeight, toAccountId, totalIndex } = moneyOrder.columns;
const FIND = `
  SELECT ${columnsOf(moneyOrder, ORDER_FIELDS)} FROM ${moneyOrder.table}
   WHERE ${batchHeight} = $1 AND ${toAccountId} = ANY($2::int[]) ORDER BY ${totalIndex}`;

/** Orders in a batch that accounts received, by total index; opaque ones are of no account that is known. */
export async function findBatchReceived(
  from: Statements,
  height: number,
  accountIds: readonly number[],
): Promise<StoredMoneyOrder[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await from.query<SqlRow<typeof moneyOrder, (typeof ORDER_FIELDS)[number]>>({
    name: 'batch-received',
    text: FIND,
    values: [height, accountIds],
  });
  return rows.map(parseOrder).filter(isReadable);
}
