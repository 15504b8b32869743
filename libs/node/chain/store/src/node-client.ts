import { LateRows, type Database } from '@tetrad/db';
import type { PrismaClient } from './generated/client.js';
import type { NodeCalls } from './open-client.js';
import type { Statements } from './statements.js';

export type { NodeCalls };

/** The node's rows through the client that Prisma generates from `prisma/node`, which is loaded with its first use. */
export class NodeClient extends LateRows<PrismaClient> {
  constructor(database: Pick<Database, 'pool'>) {
    super(async () => (await import('./open-client.js')).openNodeRows(database));
  }
}

/** The calls on one connection, for example in a transaction that statements have begun. */
export async function callsOn(connection: Statements): Promise<NodeCalls> {
  return (await import('./open-client.js')).openNodeRowsOn(connection);
}
