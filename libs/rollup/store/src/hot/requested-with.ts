import { columnsOf, type SqlRow } from '@tetrad/db';
import { requestedOperation } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { HASH_IN_JSON, type WrittenOperation } from '../written-operation.js';

const { table, columns } = requestedOperation;
/** Each takes the place of one that is open twice as long: there are no more of one nonce while as much is held. */
const MOST = 64;
const FIND = `
  SELECT DISTINCT ON (${columns.operation}->>'${HASH_IN_JSON}') ${columnsOf(requestedOperation, ['operation'])}
    FROM ${table} WHERE ${columns.accountId} = $1 AND ${columns.nonce} = $2 LIMIT ${MOST}`;

/** The operations that an account was asked for with a nonce. */
export async function requestedWith(
  from: Statements,
  accountId: number,
  nonce: number,
): Promise<WrittenOperation[]> {
  const { rows } = await from.query<SqlRow<typeof requestedOperation, 'operation'>>({
    name: 'requested-with-nonce',
    text: FIND,
    values: [accountId, nonce],
  });
  return rows.map(({ operation }) => operation as unknown as WrittenOperation);
}
