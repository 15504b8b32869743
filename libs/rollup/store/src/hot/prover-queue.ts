import type { Database } from '@tetrad/db';
import type { Statements } from '../statements.js';

/** How pg-boss runs its own statements, on tables that no schema of ours has. */
export interface ProverQueueStatements {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The statements of the queue on the service's connections, so that they share its pool and limits. */
export function proverQueueStatements(connections: Statements): ProverQueueStatements {
  return { executeSql: (text, values) => connections.query(text, values) };
}

const QUEUE_LOCK = 7_370_141;

/** Does the work in one transaction, while no other process makes the queue. */
export function makingProverQueue(
  database: Database,
  work: (statements: ProverQueueStatements) => Promise<void>,
): Promise<void> {
  return database.transaction(async (statements) => {
    await statements.query('SELECT pg_advisory_xact_lock($1)', [QUEUE_LOCK]);
    await work(proverQueueStatements(statements));
  });
}
