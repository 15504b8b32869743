import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import { refuseForeign, schemaProblem, SchemaMismatchError } from './check-schema.js';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { connectDatabase, type Database } from './database.js';
import { readMigrations, type Migration } from './migration-files.js';
import {
  createMigrationsTable,
  readRecorded,
  recordEnd,
  recordFailure,
  recordStart,
} from './migrations-table.js';

/** A migration was refused by PostgreSQL; nothing of it is stored but that it failed. */
export class MigrationFailedError extends OperatorError {
  override readonly name = 'MigrationFailedError';
  override readonly code = 'MIGRATION_FAILED';
}

/** The lock that Prisma's own command line takes, so that both take turns too. */
const MIGRATION_LOCK = 72_707_369;

/** SQLSTATE of transient errors: conflicts with other transactions, a lock that was not given in time, a full disk. */
const PASSING_STATES = /^(40|53|55P03)/;

/**
 * Applies the committed migrations that the database lacks, each in one transaction with its row in Prisma's table;
 * replicas that deploy at the same time take turns.
 * @returns names of the migrations applied now
 * @throws SchemaMismatchError when the recorded migrations are not those of this version; MigrationFailedError;
 *   DatabaseUnavailableError
 */
export async function migrateDeploy(url: string, prismaFolder: string): Promise<string[]> {
  const migrations = await readMigrations(prismaFolder);
  const database = await connectDatabase({ url, poolSize: 1 });
  const applied: string[] = [];
  try {
    await refuseForeign(database.pool, prismaFolder);
    for (;;) {
      const name = await applyNext(database, migrations);
      if (name === undefined) return applied;
      applied.push(name);
    }
  } finally {
    await database.close();
  }
}

/** @returns the name of the migration, or undefined when none is missing */
async function applyNext(database: Database, migrations: readonly Migration[]): Promise<string | undefined> {
  const attempt: { migration?: Migration } = {};
  try {
    return await database.transaction(async (client) => {
      await takeTurn(client);
      await createMigrationsTable(client);
      const next = nextMigration(await readRecorded(client), migrations);
      if (next === undefined) return undefined;
      attempt.migration = next;
      await apply(client, next);
      return next.name;
    });
  } catch (error) {
    if (attempt.migration === undefined || isPassing(error)) throw error;
    throw await markFailed(database, attempt.migration, error);
  }
}

/** The failed transaction has left nothing, so the mark is a transaction of its own, as Prisma's is. */
async function markFailed(
  database: Database,
  migration: Migration,
  cause: unknown,
): Promise<MigrationFailedError> {
  const message = cause instanceof Error ? cause.message : String(cause);
  await database.transaction(async (client) => {
    await takeTurn(client);
    await createMigrationsTable(client);
    await recordFailure(client, migration, message);
  });
  return new MigrationFailedError(`migration ${migration.name} failed: ${message}`, { cause });
}

/** Locks until the end of the transaction, which then sees everything committed before. */
async function takeTurn(client: pg.ClientBase): Promise<void> {
  await client.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

function nextMigration(
  recorded: Parameters<typeof schemaProblem>[0],
  migrations: readonly Migration[],
): Migration | undefined {
  const names = new Set(recorded.map(({ name }) => name));
  const problem = schemaProblem(
    recorded,
    migrations.filter(({ name }) => names.has(name)),
  );
  if (problem !== undefined) throw new SchemaMismatchError(problem);
  return migrations.find(({ name }) => !names.has(name));
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  const id = await recordStart(client, migration);
  // Without parameters PostgreSQL takes many statements at once, and splits them itself.
  await client.query(migration.script);
  if (!(await recordEnd(client, id))) throw new Error('its script ends the transaction it runs in');
}

function isPassing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return isDatabaseUnavailable(error) || (typeof code === 'string' && PASSING_STATES.test(code));
}
