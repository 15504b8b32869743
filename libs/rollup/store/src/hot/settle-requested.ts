import { qualified } from '@tetrad/db';
import { isAnswered } from '../answered-request.js';
import { accountVersion, batch, requestedOperation } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = requestedOperation;
const request = qualified(requestedOperation).columns;
const version = qualified(accountVersion).columns;
const { height, state } = qualified(batch).columns;
/** A batch that only credits the account has a version of it too. */
const SETTLE = `
  UPDATE ${table} SET ${columns.answered} = true
    FROM ${accountVersion.table} JOIN ${batch.table} ON ${height} = ${version.batchHeight}
   WHERE ${version.batchHeight} = ANY($1::bigint[]) AND ${state} = 'final'
     AND ${request.accountId} = ${version.accountId} AND NOT ${request.answered}
     AND ${version.batchHeight} > ${request.height}
     AND ${isAnswered({ request, version: { nonce: version.nonce, height: version.batchHeight } })}`;

/**
 * Marks the requests that a later batch has answered: by any operation of the account. A credit does not count.
 *
 * @param statements - of a transaction
 * @param heights - of batches that are final now
 */
export async function settleRequested(statements: Statements, heights: readonly number[]): Promise<void> {
  if (heights.length === 0) return;
  await statements.query({ name: 'settle-requested', text: SETTLE, values: [heights] });
}
