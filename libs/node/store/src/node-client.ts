import type { Database } from '@tetrad/db';
import type { Rows } from '@tetrad/db/client';
import type pg from 'pg';
import type { PrismaClient } from './generated/client.js';
import type { NodeCalls } from './open-client.js';
import type { Statements } from './statements.js';

export type { NodeCalls };

/**
 * The node's rows through the client that Prisma generates from `prisma/node`, which is loaded with its first use: a node that
 * needs none of these rows while it runs has neither the client's memory nor its time.
 */
export class NodeClient {
  private opened: Promise<Rows<PrismaClient>> | undefined;

  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Calls outside of a transaction. */
  async calls(): Promise<NodeCalls> {
    return (await this.open()).client;
  }

  /** Runs the work in one transaction, as that of Rows. */
  async transaction<T>(work: (calls: NodeCalls, statements: pg.PoolClient) => Promise<T>): Promise<T> {
    return (await this.open()).transaction(work);
  }

  /** Ends the client; the database stays open. */
  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private open(): Promise<Rows<PrismaClient>> {
    this.opened ??= this.load().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async load(): Promise<Rows<PrismaClient>> {
    return (await import('./open-client.js')).openNodeRows(this.database);
  }
}

/** The calls on one connection, for example in a transaction that statements have begun. */
export async function callsOn(connection: Statements): Promise<NodeCalls> {
  return (await import('./open-client.js')).openNodeRowsOn(connection);
}
