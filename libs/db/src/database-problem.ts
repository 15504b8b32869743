import type { Database } from './database.js';

/**
 * Why a service cannot use its database at the moment, for `/readyz`; undefined when it can.
 * @throws as the database, when it does not answer
 */
export async function databaseProblem(database: Database): Promise<string | undefined> {
  await database.pool.query('SELECT 1');
  return writeProblem(database);
}

/** The same without a question, for a check that has just asked one of its own. */
export function writeProblem(database: Pick<Database, 'writeRefusal'>): string | undefined {
  const refusal = database.writeRefusal();
  return refusal === undefined ? undefined : `writes are refused: ${refusal}`;
}
