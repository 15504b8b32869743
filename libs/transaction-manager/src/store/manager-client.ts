import type { Database } from '@tetrad/db';
import { openRows, type Rows } from '@tetrad/db/client';
import { PrismaClient } from './generated/client.js';

/** The manager's rows through the client that Prisma generates from `prisma/transaction-manager`. */
export type ManagerClient = Rows<PrismaClient>;

export function openManagerClient(database: Pick<Database, 'pool'>): ManagerClient {
  return openRows(database, (options) => new PrismaClient(options));
}
