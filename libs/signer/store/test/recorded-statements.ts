import { jest } from '@jest/globals';
import pg from 'pg';

/** Runs the work and gives the statements that it ran on any connection: name of the prepared one → text. */
export async function recordStatements(work: () => Promise<void>): Promise<ReadonlyMap<string, string>> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return new Map(query.mock.calls.flatMap(([statement]: readonly unknown[]) => named(statement)));
  } finally {
    query.mockRestore();
  }
}

/** Statements without a name, which are the client's, are named by their text; those about transactions are left out. */
function named(statement: unknown): readonly (readonly [string, string])[] {
  if (typeof statement === 'string') return named({ text: statement });
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return [];
  const { text } = statement;
  if (typeof text !== 'string' || /^(BEGIN|COMMIT|ROLLBACK|SET)\b/.test(text)) return [];
  const name = 'name' in statement ? statement.name : undefined;
  return [[typeof name === 'string' ? name : text, text]];
}
