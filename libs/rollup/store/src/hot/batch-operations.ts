import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

const LIST = `
  SELECT ${columnsOf(operation, OPERATION_FIELDS)} FROM ${operation.table} WHERE ${operation.columns.batchHeight} = $1`;

/** The operations of a batch, in no order. */
export async function batchOperations(statements: Statements, height: number): Promise<StoredOperation[]> {
  const { rows } = await statements.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    name: 'batch-operations',
    text: LIST,
    values: [height],
  });
  return rows.map(parseOperation);
}
