import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  DiagnoseMigrationHistoryInput,
  DiffParams,
  MigrationList,
  SchemaContainer,
} from '@prisma/schema-engine-wasm';
import { migrationsFolder, readMigrations } from '@tetrad/db';

/** A request to the engine's process, as JSON on its standard input. */
export type EngineRequest = {
  readonly url: string;
  readonly files: readonly SchemaContainer[];
} & (
  | { readonly command: 'diff'; readonly params: DiffParams }
  | { readonly command: 'diagnose'; readonly params: DiagnoseMigrationHistoryInput }
);

export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The committed migrations in the engine's format. */
export async function migrationList(prismaFolder: string): Promise<MigrationList> {
  const baseDir = migrationsFolder(prismaFolder);
  const lockfile = join(baseDir, 'migration_lock.toml');
  const migrations = await readMigrations(prismaFolder);
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? await readFile(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}
