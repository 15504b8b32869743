import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';
import { OPERATION_RECORD, type WrittenOperation } from '../written-operation.js';

const { table, columns } = operation;

/** What was accepted too, or lost its nonce here, has its hash in a row already. */
const TAKE = `
  INSERT INTO ${table} (${OPERATION_RECORD.columns})
  SELECT ${OPERATION_RECORD.values} FROM json_to_recordset($1::json) AS new (${OPERATION_RECORD.definition})
  ON CONFLICT (${columns.hash}) DO UPDATE
     SET ${columns.status} = 'PENDING', ${columns.rejectionReason} = NULL, ${columns.waiting} = false
   WHERE ${table}.${columns.status} <> 'EXECUTED'
  RETURNING ${columnsOf(operation, OPERATION_FIELDS)}`;

/**
 * Makes what was requested rows of operations, as if it had been accepted.
 * @returns in no order, and none that was executed
 */
export async function takeRequested(
  statements: Statements,
  requested: readonly WrittenOperation[],
): Promise<StoredOperation[]> {
  if (requested.length === 0) return [];
  const { rows } = await statements.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    name: 'take-requested',
    text: TAKE,
    values: [JSON.stringify(requested)],
  });
  return rows.map(parseOperation);
}
