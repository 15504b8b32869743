import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A file of a schema. */
export interface SchemaFile {
  readonly path: string;
  readonly content: string;
}

/**
 * The files of a service's schema, by name: `prisma/SERVICE/*.prisma`. `schema.prisma` declares the
 * database; each other file holds the tables of one part of the service.
 */
export async function readSchemaFiles(prismaFolder: string): Promise<SchemaFile[]> {
  const folder = resolve(prismaFolder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, content: await readFile(path, 'utf8') };
    }),
  );
}
