import { encodeWord, splitTotalIndex } from '@tetrad/rollup-crypto';
import type { ExecutionWrite } from '../execution-rows.js';
import { moneyOrder } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';
import { orderFields } from '../written-operation.js';

const record = jsonRecord(moneyOrder, {
  totalIndex: 'bigint',
  batchHeight: 'bigint',
  hash: 'bytea',
  fromAccountId: 'int',
  toAccountId: 'int',
  tokenId: 'int',
  amount: 'numeric',
  blindingFactor: 'bytea',
} as const);
const WRITE = `
  INSERT INTO ${moneyOrder.table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})`;

type Written = JsonRow<typeof moneyOrder, 'totalIndex' | 'batchHeight' | 'hash'> &
  Partial<
    JsonRow<typeof moneyOrder, 'fromAccountId' | 'toAccountId' | 'tokenId' | 'amount' | 'blindingFactor'>
  >;

/** Writes orders at their places; of an opaque one only the hash. */
export async function writeOrders(statements: Statements, orders: ExecutionWrite['orders']): Promise<void> {
  if (orders.length === 0) return;
  const written = orders.map(({ totalIndex, hash, order }): Written => ({
    totalIndex,
    batchHeight: splitTotalIndex(totalIndex).batchHeight,
    hash: hexOf(encodeWord(hash)),
    ...(order === undefined ? {} : orderFields(order)),
  }));
  await statements.query({ name: 'write-orders', text: WRITE, values: [JSON.stringify(written)] });
}
