import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Migration } from './migration-files.js';

/** A row of Prisma's table of migrations that was not marked as rolled back. */
export interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Runs statements: a pool, or a client in a transaction. */
type Queryable = Pick<pg.ClientBase, 'query'>;

/** The table as Prisma 7.10.0 creates it. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

export async function hasMigrationsTable(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  return rows[0]?.present === true;
}

/** Makes the table in a database that has none. */
export async function createMigrationsTable(client: Queryable): Promise<void> {
  // Checked first: a role that may not create tables can still find that nothing is missing.
  if (!(await hasMigrationsTable(client))) await client.query(CREATE_TABLE);
}

/** The recorded migrations, by name; the table has to exist. */
export async function readRecorded(client: Queryable): Promise<RecordedMigration[]> {
  const { rows } = await client.query<RecordedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

/**
 * Records the begin of a migration.
 * @returns the id of its row
 */
export async function recordStart(client: Queryable, { name, checksum }: Migration): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [id, checksum, name],
  );
  return id;
}

/**
 * Records that a migration succeeded.
 * @returns false when the row is not of this transaction any more
 */
export async function recordEnd(client: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
      WHERE id = $1 AND xmin = pg_current_xact_id()::xid`,
    [id],
  );
  return rowCount === 1;
}

/** Marks a migration as failed, unless its row has been changed meanwhile. */
export async function recordFailure(
  client: Queryable,
  { name, checksum }: Migration,
  logs: string,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, started_at)
     SELECT $1, $2, $3::varchar, $4, clock_timestamp()
      WHERE NOT EXISTS (SELECT FROM _prisma_migrations WHERE migration_name = $3 AND rolled_back_at IS NULL)`,
    [randomUUID(), checksum, name, logs],
  );
}
