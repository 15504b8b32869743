import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { MigrationList, SchemaContainer, SchemaEngine } from '@prisma/schema-engine-wasm';
import { OperatorError } from '@tetrad/types';
import pg from 'pg';
import type { Database } from './database.js';

/** The database's schema is not the one this version knows; one sentence for people. */
export class SchemaMismatchError extends OperatorError {
  override readonly name = 'SchemaMismatchError';
}

/** Serialises deployments of several replicas; any constant does, it only has to be ours. */
const MIGRATION_LOCK = 7_370_101;

const NO_FILTERS = { externalTables: [], externalEnums: [] };

async function readSchema(prismaFolder: string): Promise<SchemaContainer> {
  const path = join(resolve(prismaFolder), 'schema.prisma');
  return { path, content: await readFile(path, 'utf8') };
}

/** Names of the committed migrations, oldest first. */
export async function listMigrations(prismaFolder: string): Promise<string[]> {
  const folder = join(resolve(prismaFolder), 'migrations');
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function readMigrations(prismaFolder: string): Promise<MigrationList> {
  const baseDir = join(resolve(prismaFolder), 'migrations');
  const names = await listMigrations(prismaFolder);
  const lockfile = join(baseDir, 'migration_lock.toml');
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? await readFile(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

/**
 * Applies the committed migrations that the database lacks; replicas that deploy at the same time take turns.
 *
 * Out: names of the migrations applied now
 */
export async function migrateDeploy(url: string, prismaFolder: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await hasAllMigrations(lock, prismaFolder)) return [];
    const schema = await readSchema(prismaFolder);
    const migrationsList = await readMigrations(prismaFolder);
    // Loaded for those who need it: most starts find nothing to do.
    const { withSchemaEngine } = await import('./schema-engine.js');
    return await withSchemaEngine(url, schema, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
      return appliedMigrationNames;
    });
  } finally {
    await lock.end();
  }
}

/** Whether every committed migration is applied and finished: the usual start, which needs no schema engine. */
async function hasAllMigrations(client: pg.Client, prismaFolder: string): Promise<boolean> {
  const { rows: tables } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  if (tables[0]?.present !== true) return false;
  const { rows } = await client.query<{ name: string; settled: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AND rolled_back_at IS NULL AS settled
       FROM _prisma_migrations`,
  );
  const settled = new Set(rows.filter((row) => row.settled).map(({ name }) => name));
  return (
    rows.every((row) => row.settled) &&
    (await listMigrations(prismaFolder)).every((name) => settled.has(name))
  );
}

/**
 * Writes the migration that leads from the committed ones to the schema file.
 *
 * In:  url — an empty database, on which the committed migrations are replayed
 * Out: the folder written, or undefined when the schema has not changed
 */
export async function migrateNew(
  url: string,
  prismaFolder: string,
  name: string,
): Promise<string | undefined> {
  const committed = await readMigrations(prismaFolder);
  const schema = await readSchema(prismaFolder);
  const { withSchemaEngine } = await import('./schema-engine.js');
  const script = await withSchemaEngine(url, schema, async (engine) => {
    const { stdout } = await engine.diff({
      from:
        committed.migrationDirectories.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...committed },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters: NO_FILTERS,
    } as Parameters<SchemaEngine['diff']>[0]);
    return stdout ?? '';
  });
  if (script.trim() === '' || script.includes('This is an empty migration')) return undefined;
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(committed.baseDir, `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), script);
  await writeFile(join(committed.baseDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}

interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/**
 * Returns when the database has exactly the migrations this version knows.
 *
 * Fails: SchemaMismatchError when some are missing, failed, changed since, or unknown to this version
 */
export async function checkSchema(database: Database, prismaFolder: string): Promise<void> {
  const { migrationDirectories } = await readMigrations(prismaFolder);
  const known = new Map(
    migrationDirectories.map(({ path, migrationFile }) => [path, migrationFile.content.value]),
  );
  const { rows: tables } = await database.pool.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  if (tables[0]?.present !== true) {
    throw new SchemaMismatchError('the database has no schema yet; deploy the migrations first');
  }
  const { rows } = await database.pool.query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const problem = schemaProblem(rows, known);
  if (problem !== undefined) throw new SchemaMismatchError(problem);
}

/** In: known — name of a migration → its script */
function schemaProblem(
  rows: readonly AppliedMigration[],
  known: ReadonlyMap<string, string>,
): string | undefined {
  const failed = rows.find(({ finished }) => !finished);
  if (failed !== undefined) return `migration ${failed.migration_name} of the database did not finish`;
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const missing = [...known.keys()].find((name) => !applied.has(name));
  if (missing !== undefined)
    return `the database schema is older than this version: it lacks migration ${missing}`;
  const unknown = [...applied.keys()].find((name) => !known.has(name));
  if (unknown !== undefined)
    return `the database schema is newer than this version: it has migration ${unknown}`;
  const changed = [...known].find(([name, script]) => applied.get(name) !== sha256(script));
  return changed === undefined
    ? undefined
    : `migration ${changed[0]} of the database is not the one that this version has under that name`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
