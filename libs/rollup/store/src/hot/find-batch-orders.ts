import { columnsOf, type SqlRow } from '@tetrad/db';
import { decodeWord, splitTotalIndex } from '@tetrad/rollup-crypto';
import { moneyOrder } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = ['totalIndex', 'hash'] as const;
const { totalIndex: place, batchHeight: height } = moneyOrder.columns;
const FIND = `
  SELECT ${columnsOf(moneyOrder, FIELDS)} FROM ${moneyOrder.table}
   WHERE ${height} = ANY($1::bigint[]) ORDER BY ${place}`;

/**
 * Hashes of the orders of batches, by their places.
 * @returns height → hashes; an empty place is 0
 */
export async function findBatchOrders(
  from: Statements,
  heights: readonly number[],
): Promise<Map<number, bigint[]>> {
  const orders = new Map(heights.map((one): [number, bigint[]] => [one, []]));
  if (heights.length === 0) return orders;
  const { rows } = await from.query<SqlRow<typeof moneyOrder, (typeof FIELDS)[number]>>({
    name: 'batch-orders',
    text: FIND,
    values: [heights],
  });
  for (const { totalIndex, hash } of rows) {
    const { batchHeight, index } = splitTotalIndex(totalIndex);
    const hashes = orders.get(batchHeight) as bigint[];
    while (hashes.length < index) hashes.push(0n);
    hashes.push(decodeWord(hash));
  }
  return orders;
}
