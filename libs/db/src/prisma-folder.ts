import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** `prisma/` at the root of the repository; from `src` and from `dist` it is equally far. */
const PRISMA_ROOT = join(import.meta.dirname, '..', '..', '..', 'prisma');

/** The folder with the schema and the migrations of a service: `node`, `signer`, … */
export function prismaFolder(service: string): string {
  return join(PRISMA_ROOT, service);
}

/** The services that have a schema. */
export async function listPrismaFolders(): Promise<string[]> {
  const entries = await readdir(PRISMA_ROOT);
  return entries.filter((name) => existsSync(join(prismaFolder(name), 'schema.prisma'))).sort();
}
