import { columnsOf, type SqlRow } from '@tetrad/db';
import { requestedOperation } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { HASH_IN_JSON, type WrittenOperation } from '../written-operation.js';

const { table, columns } = requestedOperation;
const FIND = `
  SELECT DISTINCT ON (${columns.operation}->>'${HASH_IN_JSON}') ${columnsOf(requestedOperation, ['operation'])}
    FROM ${table} WHERE ${columns.accountId} = $1 AND ${columns.nonce} = $2 LIMIT 16`;

/** The operations that an account was asked for with a nonce. */
export async function requestedWith(
  from: Statements,
  accountId: number,
  nonce: number,
): Promise<WrittenOperation[]> {
  const { rows } = await from.query<SqlRow<typeof requestedOperation, 'operation'>>({
    ...{ name: 'requested-with-nonce', text: FIND, values: [accountId, nonce] },
  });
  return rows.map(({ operation }) => operation as unknown as WrittenOperation);
}
