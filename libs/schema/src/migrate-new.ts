import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiffResult } from '@prisma/schema-engine-wasm';
import { askEngine } from './ask-engine.js';
import { NO_FILTERS, migrationList } from './engine-request.js';
import { readSchemaFiles } from './schema-files.js';

/** What the engine wants to know besides; its types do not have the last. */
const AS_SCRIPT = { script: true, exitCode: null, filters: NO_FILTERS, shadowDatabaseUrl: null };

/**
 * Writes the migration that leads from the committed ones to the schema files.
 * @param url - a database of the server on which the committed migrations are replayed, in a database made for that
 * @returns the folder written, or undefined when the schema has not changed
 */
export async function migrateNew(
  url: string,
  prismaFolder: string,
  name: string,
): Promise<string | undefined> {
  const committed = await migrationList(prismaFolder);
  const files = await readSchemaFiles(prismaFolder);
  const { stdout } = (await askEngine({
    url,
    files,
    command: 'diff',
    params: {
      from:
        committed.migrationDirectories.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...committed },
      to: { tag: 'schemaDatamodel', files },
      ...AS_SCRIPT,
    },
  })) as DiffResult;
  const script = stdout ?? '';
  if (script.trim() === '' || script.includes('This is an empty migration')) return undefined;
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(committed.baseDir, `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), script);
  await writeFile(join(committed.baseDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}
