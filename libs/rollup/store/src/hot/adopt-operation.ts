import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';
import { OPERATION_RECORD, type WrittenOperation } from '../written-operation.js';

type Row = SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>;

const { table, columns } = operation;

/** A creation that was rejected here, and is sent again, has its hash in a row already. */
const INSERT = `
  INSERT INTO ${table} (${OPERATION_RECORD.columns})
  SELECT ${OPERATION_RECORD.values} FROM json_to_record($1::json) AS new (${OPERATION_RECORD.definition})
  ON CONFLICT (${columns.hash}) DO UPDATE SET ${columns.status} = 'PENDING', ${columns.rejectionReason} = NULL
   WHERE ${table}.${columns.status} = 'REJECTED'
  RETURNING ${columnsOf(operation, OPERATION_FIELDS)}`;

/** Stores an operation that only the chain knows of. */
export async function adoptOperation(
  statements: Statements,
  written: WrittenOperation,
): Promise<StoredOperation> {
  const { rows } = await statements.query<Row>(INSERT, [JSON.stringify(written)]);
  return parseOperation(rows[0] as Row);
}
