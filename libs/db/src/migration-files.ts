import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A committed migration: `migrations/NAME/migration.sql` of a Prisma folder. */
export interface Migration {
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script's bytes as 64 hex digits: what Prisma records of it. */
  readonly checksum: string;
}

/** The folder that holds the migrations of a Prisma folder. */
export function migrationsFolder(prismaFolder: string): string {
  return join(resolve(prismaFolder), 'migrations');
}

/** Names of the committed migrations, oldest first. */
export async function listMigrations(prismaFolder: string): Promise<string[]> {
  const folder = migrationsFolder(prismaFolder);
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The committed migrations, oldest first. */
export async function readMigrations(prismaFolder: string): Promise<Migration[]> {
  const names = await listMigrations(prismaFolder);
  return Promise.all(names.map((name) => readMigration(prismaFolder, name)));
}

async function readMigration(prismaFolder: string, name: string): Promise<Migration> {
  const bytes = await readFile(join(migrationsFolder(prismaFolder), name, 'migration.sql'));
  return { name, script: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
}
