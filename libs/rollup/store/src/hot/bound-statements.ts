import type { Statements } from '../statements.js';

/**
 * Has the server end each of the next statements of a transaction that takes too long, with SQLSTATE 57014.
 *
 * @param within - the connection of the transaction
 * @param limitMs - longest time of a statement, in ms
 */
export async function boundStatements(within: Statements, limitMs: number): Promise<void> {
  await within.query(`SET LOCAL statement_timeout = ${limitMs}`);
}
