import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';
import { OPERATION_RECORD, type WrittenOperation } from '../written-operation.js';
import { PRESENT_TURN } from './read-arrivals.js';

const { table, columns } = operation;

/**
 * What was accepted too, or lost its nonce here, has its hash in a row already, which is locked and stays as it is. A
 * row that is made has the present turn: when its batch is taken back, it is in the line as if it had been accepted
 * now, and sets no turns back.
 */
const TAKE = `
  INSERT INTO ${table} (${OPERATION_RECORD.columns}, ${columns.turn})
  SELECT ${OPERATION_RECORD.values}, present.turn
    FROM json_to_recordset($1::json) AS new (${OPERATION_RECORD.definition}), (SELECT ${PRESENT_TURN} AS turn) AS present
  ON CONFLICT (${columns.hash}) DO UPDATE SET ${columns.hash} = excluded.${columns.hash}
   WHERE ${table}.${columns.status} <> 'EXECUTED'
  RETURNING ${columnsOf(operation, OPERATION_FIELDS)}, xmax = 0 AS "isNew"`;

/** The row of an operation that was requested. */
export interface TakenOperation {
  readonly stored: StoredOperation;
  /** Whether the row was made now. */
  readonly isNew: boolean;
}

/**
 * Gives what was requested rows of operations.
 * @returns in no order, and none that was executed
 */
export async function takeRequested(
  statements: Statements,
  requested: readonly WrittenOperation[],
): Promise<TakenOperation[]> {
  if (requested.length === 0) return [];
  const { rows } = await statements.query<
    SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]> & { readonly isNew: boolean }
  >({
    name: 'take-requested',
    text: TAKE,
    values: [JSON.stringify(requested)],
  });
  return rows.map((row) => ({ stored: parseOperation(row), isNew: row.isNew }));
}
