import type { ExecutionWrite } from '../execution-rows.js';
import { moneyOrder } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';
import { orderFields } from '../written-operation.js';

const { table, columns } = moneyOrder;
const record = jsonRecord(moneyOrder, {
  totalIndex: 'bigint',
  redeemedHeight: 'bigint',
  fromAccountId: 'int',
  toAccountId: 'int',
  tokenId: 'int',
  amount: 'numeric',
  blindingFactor: 'bytea',
} as const);

/** A redemption reveals the content of its order, which may have been opaque here. */
const WRITE = `
  UPDATE ${table}
     SET ${columns.redeemedHeight} = done."redeemedHeight", ${columns.fromAccountId} = done."fromAccountId",
         ${columns.toAccountId} = done."toAccountId", ${columns.tokenId} = done."tokenId",
         ${columns.amount} = done."amount", ${columns.blindingFactor} = decode(done."blindingFactor", 'hex')
    FROM json_to_recordset($1::json) AS done (${record.definition})
   WHERE ${table}.${columns.totalIndex} = done."totalIndex"`;

type Written = JsonRow<
  typeof moneyOrder,
  | ('totalIndex' | 'redeemedHeight' | 'fromAccountId' | 'toAccountId')
  | ('tokenId' | 'amount' | 'blindingFactor')
>;

/** Marks orders as redeemed. */
export async function writeRedeemed(
  statements: Statements,
  redeemed: ExecutionWrite['redeemed'],
): Promise<void> {
  if (redeemed.length === 0) return;
  const written = redeemed.map(({ totalIndex, batchHeight, order }): Written => ({
    totalIndex,
    redeemedHeight: batchHeight,
    ...orderFields(order),
  }));
  await statements.query({ name: 'write-redeemed', text: WRITE, values: [JSON.stringify(written)] });
}
