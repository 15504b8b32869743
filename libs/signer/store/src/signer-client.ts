import type { Database } from '@tetrad/db';
import { openRows, type Rows } from '@tetrad/db/client';
import { PrismaClient } from './generated/client.js';

/** The signer's rows through the client that Prisma generates from `prisma/signer`. */
export type SignerRows = Rows<PrismaClient>;

/** Its calls. */
export type SignerCalls = SignerRows['client'];

export function openSignerRows(database: Pick<Database, 'pool'>): SignerRows {
  return openRows(database, (options) => new PrismaClient(options));
}
