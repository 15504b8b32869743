import { columnsOf, type SqlRow } from '@tetrad/db';
import type { BatchPlace } from '../execution-rows.js';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

const { table, columns } = operation;
const FIND = `
  SELECT ${columnsOf(operation, OPERATION_FIELDS)} FROM ${table}
   WHERE ${columns.batchHeight} = $1 AND ${columns.batchIndex} = $2`;

/** The operation that was executed here at a place; undefined when another submitter's was. */
export async function executedAt(
  from: Statements,
  { batchHeight, batchIndex }: BatchPlace,
): Promise<StoredOperation | undefined> {
  const { rows } = await from.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    name: 'executed-at',
    text: FIND,
    values: [batchHeight, batchIndex],
  });
  return rows[0] === undefined ? undefined : parseOperation(rows[0]);
}
