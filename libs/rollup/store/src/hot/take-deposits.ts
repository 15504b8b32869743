import type { ExecutionWrite } from '../execution-rows.js';
import { deposit } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = deposit;
const record = jsonRecord(deposit, { index: 'bigint', batchHeight: 'bigint', batchIndex: 'int' });
const TAKE = `
  UPDATE ${table} SET ${columns.batchHeight} = taken."batchHeight", ${columns.batchIndex} = taken."batchIndex"
    FROM json_to_recordset($1::json) AS taken (${record.definition})
   WHERE ${table}.${columns.index} = taken."index"`;

/** Gives deposits their places in batches. */
export async function takeDeposits(
  statements: Statements,
  deposits: ExecutionWrite['deposits'],
): Promise<void> {
  if (deposits.length === 0) return;
  await statements.query({ name: 'write-taken-deposits', text: TAKE, values: [JSON.stringify(deposits)] });
}
