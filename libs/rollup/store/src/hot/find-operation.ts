import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { encodeWord } from '@tetrad/rollup-crypto';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

const FIND = `
  SELECT ${columnsOf(operation, OPERATION_FIELDS)} FROM ${operation.table} WHERE ${operation.columns.hash} = $1`;

/** @throws RollupStoreError when the row is damaged */
export async function findOperation(from: Statements, hash: bigint): Promise<StoredOperation | undefined> {
  const { rows } = await from.query<SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>>({
    name: 'find-operation',
    text: FIND,
    values: [asBuffer(encodeWord(hash))],
  });
  return rows[0] === undefined ? undefined : parseOperation(rows[0]);
}
