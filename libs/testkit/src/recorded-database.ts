import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { connectDatabase, prismaFolder, readMigrations, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from './database.js';

/** Set to a version, tests record the databases that they open, as that version leaves them; recordings are never replaced. */
const RECORDED_VERSION = 'TETRAD_RECORD_DATABASES';

const MIGRATIONS = '_prisma_migrations';

type Client = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The database of a service as a version of it left it: SQL statements, compressed. */
export interface Recording {
  /** Folder of the files `SERVICE-VERSION.sql.gz`. */
  readonly folder: string;
  readonly service: string;
}

/** Versions of which there is a recording, oldest first by name. */
export function recordedVersions({ folder, service }: Recording): string[] {
  const wanted = process.env[RECORDED_VERSION];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const versions = names.flatMap((name) => {
    const isOne = name.startsWith(`${service}-`) && name.endsWith('.sql.gz');
    return isOne ? [name.slice(service.length + 1, -'.sql.gz'.length)] : [];
  });
  return [...new Set(wanted === undefined ? versions : [...versions, wanted])].sort();
}

/**
 * Records the databases, by their services, unless there is a recording of the version already. The services should be
 * stopped.
 */
export async function recordDatabases(
  folder: string,
  version: string,
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [service, url] of Object.entries(urls)) {
    const bytes = gzipSync(await dumpDatabase(url, service), { level: 9 });
    await writeFile(recordingFile({ folder, service }, version), bytes, { flag: 'wx' });
  }
}

/** Whether a test is to record first: the variable names the version, and there is no recording of it. */
export function isToRecord(recording: Recording, version: string): boolean {
  return process.env[RECORDED_VERSION] === version && !existsSync(recordingFile(recording, version));
}

/** A new database with what the recording holds. */
export async function openRecording(recording: Recording, version: string): Promise<TestDatabase> {
  const statements = gunzipSync(await readFile(recordingFile(recording, version))).toString('utf8');
  const created = await createTestDatabase();
  const { pool, close } = await connectDatabase({ url: created.url, poolSize: 1 });
  try {
    await pool.query(statements);
  } finally {
    await close();
  }
  return created;
}

function recordingFile({ folder, service }: Recording, version: string): string {
  return join(folder, `${service}-${version}.sql.gz`);
}

/** Schema, rows and sequences as statements; the schema is made by the migrations that the database has. */
export async function dumpDatabase(url: string, service: string): Promise<string> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    return await database.transaction(async (client) => {
      await client.query("SET LOCAL TIME ZONE 'UTC'");
      const migrations = await readMigrations(prismaFolder(service));
      const tables = await listTables(client);
      const rows: string[] = [];
      for (const table of [MIGRATIONS, ...tables]) rows.push(...(await dumpRows(client, table)));
      return [
        "SET TIME ZONE 'UTC';",
        ...(await client.query<{ sql: string }>(MIGRATIONS_TABLE)).rows.map(({ sql }) => sql),
        ...migrations.map(({ script }) => script),
        // Rows refer to each other, and were checked when they were written.
        'SET session_replication_role = replica;',
        // First rows that migrations have inserted; other tables may refuse statements that delete.
        ...tables
          .filter((table) => migrations.some(({ script }) => script.includes(`INSERT INTO "${table}"`)))
          .map((table) => `DELETE FROM ${client.escapeIdentifier(table)};`),
        ...rows,
        ...(await dumpSequences(client)),
        'RESET session_replication_role;',
      ].join('\n');
    });
  } finally {
    await database.close();
  }
}

/** The statement for the table that records migrations, from the catalogue: it is in no migration. */
const MIGRATIONS_TABLE = `
  SELECT format('CREATE TABLE %I (%s, PRIMARY KEY (id));', '${MIGRATIONS}', string_agg(
           format('%I %s%s%s', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END,
                  coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')), ', ' ORDER BY attnum)) AS sql
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
   WHERE attrelid = '${MIGRATIONS}'::regclass AND attnum > 0 AND NOT attisdropped`;

async function listTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> $1 ORDER BY 1`,
    [MIGRATIONS],
  );
  return rows.map(({ name }) => name);
}

/** The rows as INSERT statements, in the order of their columns. */
async function dumpRows(client: Client, table: string): Promise<string[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => client.escapeIdentifier(name));
  const values = names.map((name) => `quote_nullable(${name}::text)`).join(` || ',' || `);
  const { rows } = await client.query<{ row: string }>(
    `SELECT ${values} AS row FROM ${client.escapeIdentifier(table)} ORDER BY 1`,
  );
  const into = `INSERT INTO ${client.escapeIdentifier(table)} (${names.join(',')}) VALUES`;
  return rows.map(({ row }) => `${into} (${row});`);
}

async function dumpSequences(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ sql: string }>(
    `SELECT format('SELECT setval(%L, %s, true);', schemaname || '.' || sequencename, last_value) AS sql
       FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows.map(({ sql }) => sql);
}
