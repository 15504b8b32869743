import type { Statements } from '../statements.js';

/** Groups of all processes take turns, so that sequence numbers are in the order of commits. */
const ACCEPTANCE_LOCK = 7_370_140;

/** Waits for the groups of other processes; the lock ends with the transaction. */
export async function lockAcceptance(statements: Statements): Promise<void> {
  await statements.query('SELECT pg_advisory_xact_lock($1)', [ACCEPTANCE_LOCK]);
}
