import type { Statements } from '../statements.js';

/** Groups of all processes take turns, so that sequence numbers are in the order of commits. */
const ACCEPTANCE_LOCK = 7_370_140;

/**
 * PostgreSQL keeps the plan of a statement until its tables are analyzed. One that it made while the queue was nearly empty reads all
 * of a queue that has filled since, once for each operation: so no plan of an acceptance may read a whole table where an index serves.
 */
const LOCK = `SELECT pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)`;

/** Waits for the groups of other processes; the lock ends with the transaction, and so does the setting. */
export async function lockAcceptance(statements: Statements): Promise<void> {
  await statements.query({ name: 'lock-acceptance', text: LOCK, values: [ACCEPTANCE_LOCK] });
}
