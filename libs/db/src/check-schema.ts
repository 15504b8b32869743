import { basename } from 'node:path';
import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import type { Database } from './database.js';
import { readMigrations, type Migration } from './migration-files.js';
import { checkRights, checkSchemaUsage } from './rights.js';
import { hasMigrationsTable, readRecorded, type RecordedMigration } from './migrations-table.js';

/** The database's schema is not the one this version knows; one sentence for people. */
export class SchemaMismatchError extends OperatorError {
  override readonly name = 'SchemaMismatchError';
  override readonly code = 'SCHEMA_MISMATCH';
}

/**
 * Returns when the database has exactly the migrations this version knows.
 * @throws SchemaMismatchError when some are missing, failed, changed since, or unknown to this version
 */
export async function checkSchema({ pool }: Database, prismaFolder: string): Promise<void> {
  const known = await readMigrations(prismaFolder);
  await checkSchemaUsage(pool);
  if (!(await hasMigrationsTable(pool))) {
    throw new SchemaMismatchError(
      'the database has no schema yet; start the service once with --migrate true as the owner of the tables, or run "migrate deploy SERVICE" first',
    );
  }
  await refuseForeign(pool, prismaFolder);
  await checkRights(pool, { isReader: true });
  const problem = schemaProblem(await readRecorded(pool), known);
  if (problem !== undefined) throw new SchemaMismatchError(problem);
}

/** A table of each service that is in no other service's schema; an image has only its own migrations to compare with. */
const TABLES: Readonly<Record<string, string>> = {
  node: 'block',
  signer: 'nonce_entry',
  wallet: 'wallet_key',
  'transaction-manager': 'payload_recipient',
  'rollup-operator': 'sequence_head',
};

/**
 * Refuses the database of another service, whose migrations would otherwise look like those of another version.
 * @param prismaFolder - named for the service
 * @throws SchemaMismatchError that names the service it belongs to
 */
export async function refuseForeign(
  client: Pick<pg.ClientBase, 'query'>,
  prismaFolder: string,
): Promise<void> {
  const own = basename(prismaFolder);
  const others = Object.entries(TABLES).filter(([service]) => service !== own);
  if (others.length === Object.keys(TABLES).length) return;
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS wanted (name) WHERE to_regclass(quote_ident(name)) IS NOT NULL',
    [others.map(([, table]) => table)],
  );
  const owner = others.find(([, table]) => table === rows[0]?.name)?.[0];
  if (owner !== undefined)
    throw new SchemaMismatchError(`the database is that of a ${owner}, not of a ${own}; give each its own`);
}

/** The difference between these records and these migrations; undefined when they match. */
export function schemaProblem(
  recorded: readonly RecordedMigration[],
  known: readonly Migration[],
): string | undefined {
  const failed = recorded.find(({ finished }) => !finished);
  if (failed !== undefined) return `migration ${failed.name} of the database did not finish`;
  const applied = new Map(recorded.map(({ name, checksum }) => [name, checksum]));
  const missing = known.find(({ name }) => !applied.has(name));
  if (missing !== undefined)
    return `the database schema is older than this version: it lacks migration ${missing.name}`;
  const names = new Set(known.map(({ name }) => name));
  const unknown = recorded.find(({ name }) => !names.has(name));
  if (unknown !== undefined)
    return `the database schema is newer than this version: it has migration ${unknown.name}`;
  const changed = known.find(({ name, checksum }) => applied.get(name) !== checksum);
  return changed === undefined
    ? undefined
    : `migration ${changed.name} of the database is not the one that this version has under that name`;
}
