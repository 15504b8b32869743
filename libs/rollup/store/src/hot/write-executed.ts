import type { ExecutedOperation } from '../execution-rows.js';
import { operation } from '../generated/tables.js';
import { jsonRecord } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const record = jsonRecord(operation, {
  sequence: 'bigint',
  accountId: 'int',
  totalIndex: 'bigint',
  batchHeight: 'bigint',
  batchIndex: 'int',
} as const);
const WRITE = `
  UPDATE ${table}
     SET ${columns.status} = 'EXECUTED', ${columns.waiting} = false, ${columns.rejectionReason} = NULL,
         ${columns.accountId} = done."accountId", ${columns.totalIndex} = done."totalIndex",
         ${columns.batchHeight} = done."batchHeight", ${columns.batchIndex} = done."batchIndex"
    FROM json_to_recordset($1::json) AS done (${record.definition})
   WHERE ${table}.${columns.sequence} = done."sequence"`;

/** Gives operations their places in batches. */
export async function writeExecuted(
  statements: Statements,
  executed: readonly ExecutedOperation[],
): Promise<void> {
  if (executed.length === 0) return;
  await statements.query({ name: 'write-executed', text: WRITE, values: [JSON.stringify(executed)] });
}
