import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from './database.js';

/**
 * For `new PrismaClient({ adapter })`, over the pool that plain statements use. Not part of `@tetrad/db` itself: Prisma's
 * compiler of queries costs a process some 90 MB (docs/adr/0121), which those without a client do not pay.
 */
export function prismaAdapter({ pool }: Pick<Database, 'pool'>): PrismaPg {
  return new PrismaPg(pool, { disposeExternalPool: false });
}
