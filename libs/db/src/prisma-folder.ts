import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The `prisma/` folder: at the root of the repository, or of an image. It is the nearest one above this module, which
 * is in `src`, in `dist` or part of a bundle.
 */
function prismaRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'prisma');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) throw new Error(`prisma folder not found above ${import.meta.dirname}`);
  }
}

/** The folder with the schema and the migrations of a service: `node`, `signer`, … */
export function prismaFolder(service: string): string {
  return join(prismaRoot(), service);
}

/** The services that have a schema. */
export async function listPrismaFolders(): Promise<string[]> {
  const entries = await readdir(prismaRoot());
  return entries.filter((name) => existsSync(join(prismaFolder(name), 'schema.prisma'))).sort();
}
