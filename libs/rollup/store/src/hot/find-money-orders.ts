import { columnsOf, type SqlRow } from '@tetrad/db';
import { moneyOrder } from '../generated/tables.js';
import { ORDER_FIELDS, parseOrder, type FoundMoneyOrder } from '../money-order-rows.js';
import type { Statements } from '../statements.js';

const FIND = `
  SELECT ${columnsOf(moneyOrder, ORDER_FIELDS)} FROM ${moneyOrder.table}
   WHERE ${moneyOrder.columns.totalIndex} = ANY($1::bigint[])`;

/**
 * Reads many orders in one statement.
 * @returns those that exist, in no order
 */
export async function findMoneyOrders(
  from: Statements,
  totalIndexes: readonly number[],
): Promise<FoundMoneyOrder[]> {
  if (totalIndexes.length === 0) return [];
  const { rows } = await from.query<SqlRow<typeof moneyOrder, (typeof ORDER_FIELDS)[number]>>({
    name: 'money-orders',
    text: FIND,
    values: [totalIndexes],
  });
  return rows.map(parseOrder);
}
