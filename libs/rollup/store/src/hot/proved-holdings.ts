import { columnsOf, qualified, type SqlRow } from '@tetrad/db';
import { operation, requestedOperation } from '../generated/tables.js';
import { parseHolding, type ProvedHolding } from '../proved-holdings.js';
import type { Statements } from '../statements.js';
import { HASH_IN_JSON } from '../written-operation.js';

const requested = qualified(requestedOperation);
const { columns } = requested;
const made = qualified(operation).columns;
const FIND = `
  SELECT DISTINCT ON (${columns.accountId}) ${columnsOf(requested, ['proved'])}
    FROM ${operation.table} JOIN ${requestedOperation.table} ON ${columns.accountId} = ${made.accountId}
     AND ${columns.nonce} = ${made.nonce} AND ${columns.operation}->>'${HASH_IN_JSON}' = encode(${made.hash}, 'hex')
   WHERE ${made.batchHeight} = $1 AND ${made.accountId} = ANY($2::int[])
   ORDER BY ${columns.accountId}, ${columns.blockNumber} DESC, ${columns.logIndex} DESC`;

/** What was proved with requests that are in a batch, by the hash of the operation; the latest of those with the same one. */
export async function findHoldings(
  from: Statements,
  batchHeight: number,
  accountIds: readonly number[],
): Promise<ProvedHolding[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await from.query<SqlRow<typeof requestedOperation, 'proved'>>({
    name: 'proved-holdings',
    text: FIND,
    values: [batchHeight, accountIds],
  });
  return rows.map(({ proved }) => parseHolding(proved));
}
