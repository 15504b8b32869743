import type { Database } from '@tetrad/db';
import { openRows, type Rows, type RowsOf } from '@tetrad/db/client';
import { PrismaClient } from './generated/client.js';

/** The wallet's rows through the client that Prisma generates from `prisma/wallet`. */
export type WalletClient = Rows<PrismaClient>;

/** The client's calls: on their own, or in a transaction. */
export type WalletCalls = RowsOf<PrismaClient>;

export function openWalletClient(database: Pick<Database, 'pool'>): WalletClient {
  return openRows(database, (options) => new PrismaClient(options));
}
