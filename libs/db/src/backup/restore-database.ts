import { createHash } from 'node:crypto';
import type { Database } from '../database.js';
import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import { listApplied, listColumns } from './backup-table.js';
import { loadTable, quote } from './copy-table.js';
import { readManifest, type Manifest, type TableEntry } from './manifest.js';

export interface RestoreSource {
  readonly folder: string;
  readonly kind: Manifest['kind'];
  /** Tables that stay empty. */
  readonly isLeftOut?: (table: string) => boolean;
  /** Tables that have one row from their migration on, which the backup's row replaces. */
  readonly seeded?: readonly string[];
  /** Whether a database that already holds this very backup is left unchanged, without an error. */
  readonly resume?: boolean;
}

/**
 * Restores a backup into an empty database with the schema of the backup: all rows, or none.
 * @throws OperatorError when the backup is damaged, the database has rows or another schema
 */
export async function restoreDatabase(
  database: Database,
  { folder, kind, isLeftOut = () => false, seeded = [], resume = false }: RestoreSource,
): Promise<Manifest> {
  const manifest = await readManifest(folder, kind);
  await database.transaction(async (client) => {
    await assertSchema(client, manifest);
    await lockTables(client, manifest);
    if (resume && (await findMark(client, manifest)) === markOf(manifest)) return;
    const isSeeded = ({ name }: TableEntry) => seeded.includes(name);
    await assertEmpty(
      client,
      manifest.tables.filter((table) => !isSeeded(table)),
    );
    // Seeded rows last: they may only name rows that are there.
    for (const table of manifest.tables.toSorted((a, b) => Number(isSeeded(a)) - Number(isSeeded(b)))) {
      if (isLeftOut(table.name)) continue;
      if (isSeeded(table)) await replaceRow(client, table, folder);
      else await loadTable(client, table, { folder });
      await moveSequences(client, table);
    }
    await writeMark(client, manifest);
  });
  await database.pool.query('ANALYZE');
  return manifest;
}

/** A backup is restored by the version that made it; later migrations are applied afterwards. */
async function assertSchema(client: pg.ClientBase, { migrations }: Manifest): Promise<void> {
  const applied = await listApplied(client);
  const odd = [...migrations, ...applied].find(
    (name) => !migrations.includes(name) || !applied.includes(name),
  );
  if (odd === undefined) return;
  const where = applied.includes(odd) ? 'the database has' : 'the backup is of a database with';
  throw new OperatorError(`${where} migration ${odd}, the other has not; restore with the version it is of`);
}

/** Concurrent restores are serialized by the locks, and the second finds rows. */
async function lockTables(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const { name, columns } of tables) {
    const known = await listColumns(client, name);
    if (known.join() !== columns.join())
      throw new OperatorError(`table ${name}: the backup has columns ${columns.join(', ')}`);
  }
  await client.query(
    `LOCK TABLE ${tables.map(({ name }) => quote(name)).join(', ')} IN ACCESS EXCLUSIVE MODE`,
  );
}

/** Replaces the only row by an UPDATE, unless it is the same: triggers may let nothing else through. */
async function replaceRow(client: pg.ClientBase, table: TableEntry, folder: string): Promise<void> {
  const name = quote(table.name);
  const columnsOf = (of: string) => table.columns.map((column) => `${of}.${quote(column)}`).join(', ');
  await client.query(`CREATE TEMPORARY TABLE restored_row (LIKE ${name}) ON COMMIT DROP`);
  await loadTable(client, table, { folder, into: 'restored_row' });
  await client.query(
    `UPDATE ${name} SET (${table.columns.map(quote).join(', ')}) = ROW(${columnsOf('restored_row')})
       FROM restored_row WHERE ROW(${columnsOf(name)}) IS DISTINCT FROM ROW(${columnsOf('restored_row')})`,
  );
  await client.query('DROP TABLE restored_row');
}

async function assertEmpty(client: pg.ClientBase, tables: readonly TableEntry[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query<{ used: boolean }>(
      `SELECT EXISTS (SELECT FROM ${quote(name)}) AS used`,
    );
    if (rows[0]?.used !== false)
      throw new OperatorError(`the database is not empty: table ${name} has rows; restore into a new one`);
  }
}

const markOf = (manifest: Manifest) =>
  `restored from the backup with sha256 ${createHash('sha256').update(JSON.stringify(manifest)).digest('hex')}`;

/** A comment on the database names the backup it is from; it is committed and rolled back with the rows. */
async function writeMark(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const [first] = manifest.tables;
  if (first === undefined) return;
  await client.query(`COMMENT ON TABLE ${quote(first.name)} IS ${client.escapeLiteral(markOf(manifest))}`);
}

async function findMark(client: pg.ClientBase, { tables }: Manifest): Promise<string | null | undefined> {
  const [first] = tables;
  if (first === undefined) return undefined;
  const { rows } = await client.query<{ mark: string | null }>(
    `SELECT obj_description($1::regclass, 'pg_class') AS mark`,
    [quote(first.name)],
  );
  return rows[0]?.mark;
}

/** Sequences of the database continue after the restored rows. */
async function moveSequences(client: pg.ClientBase, { name, columns }: TableEntry): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `SELECT * FROM (SELECT name AS column, pg_get_serial_sequence($1, name) AS sequence
                      FROM unnest($2::text[]) AS name) AS found WHERE sequence IS NOT NULL`,
    [quote(name), columns],
  );
  for (const { column, sequence } of rows)
    await client.query(`SELECT setval($1, max(${quote(column)})) FROM ${quote(name)}`, [sequence]);
}
