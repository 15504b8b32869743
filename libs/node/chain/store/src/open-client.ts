import type { Database } from '@tetrad/db';
import { openRows, openRowsOn, type Rows, type RowsOf } from '@tetrad/db/client';
import { PrismaClient } from './generated/client.js';
import type { Statements } from './statements.js';

/** The client's calls: on their own, or in a transaction. */
export type NodeCalls = RowsOf<PrismaClient>;

/** What is loaded late: see `node-client.ts`. */
export function openNodeRows(database: Pick<Database, 'pool'>): Rows<PrismaClient> {
  return openRows(database, (options) => new PrismaClient(options));
}

export function openNodeRowsOn(connection: Statements): NodeCalls {
  return openRowsOn(connection, (options) => new PrismaClient(options));
}
