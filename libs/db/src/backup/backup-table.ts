import type pg from 'pg';
import { BACKUP_EVENTS } from './backup-events.js';

/** A table in a backup. */
export interface BackupTable {
  readonly name: string;
  /** SQL condition of the rows to back up; all of them without it. */
  readonly where?: string;
  /** SQL expressions, of the type of the column, that replace column values in the backup. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Prisma's rows about applied migrations; the manifest has them too. */
const MIGRATIONS = '_prisma_migrations';

/** Tables that a backup leaves out. */
export const NOT_BACKED_UP: readonly string[] = [MIGRATIONS, BACKUP_EVENTS];

/**
 * Checks that a list names every table of the database, so that no table is forgotten; those of migrations and of backup
 * events are not rows of the service.
 * @throws Error with the name of a table that is on one side only
 */
export async function assertAllTables(client: pg.ClientBase, tables: readonly BackupTable[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`,
    [NOT_BACKED_UP],
  );
  const there = new Set(rows.map(({ name }) => name));
  const listed = new Set(tables.map(({ name }) => name));
  const odd = [...there, ...listed].find((name) => !there.has(name) || !listed.has(name));
  if (odd !== undefined)
    throw new Error(`table ${odd} is not both in the database and in the list of a backup`);
}

/** Names of the columns that rows are written with, in the order of the table. */
export async function listColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'
      ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The names of the migrations that a database has, oldest first. */
export async function listApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM ${MIGRATIONS} WHERE finished_at IS NOT NULL ORDER BY migration_name`,
  );
  return rows.map(({ name }) => name);
}
