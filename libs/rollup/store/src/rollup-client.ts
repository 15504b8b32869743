import { LateRows, type Database } from '@tetrad/db';
import type { PrismaClient } from './generated/client.js';
import type { RollupCalls } from './open-client.js';
import type { Statements } from './statements.js';

export type { RollupCalls };

/**
 * The operator's rows through the client that Prisma generates from `prisma/rollup-operator`, which is loaded with its first
 * use: of a process that only answers requests this is the first list of operations.
 */
export class RollupClient extends LateRows<PrismaClient> {
  constructor(database: Pick<Database, 'pool'>) {
    super(async () => (await import('./open-client.js')).openRollupRows(database));
  }
}

/** The calls on the connection of a transaction that statements have begun. */
export async function callsOn(connection: Statements): Promise<RollupCalls> {
  return (await import('./open-client.js')).openRollupRowsOn(connection);
}
