import { columnsOf, type SqlRow } from '@tetrad/db';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const READY = `
  SELECT ${columnsOf(operation, OPERATION_FIELDS)} FROM ${table}
   WHERE ${columns.status} = 'PENDING' AND NOT ${columns.waiting}
   ORDER BY ${columns.sequence} LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** Pending operations that can be executed, in the order of acceptance, except those that are being replaced. */
export async function readyOperations(statements: Statements, limit: number): Promise<StoredOperation[]> {
  const { rows } = await statements.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    ...{ name: 'ready-operations', text: READY, values: [limit] },
  });
  return rows.map(parseOperation);
}
