import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  checkSchema,
  connectDatabase,
  listMigrations,
  migrateDeploy,
  prismaFolder,
  type Database,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

let base: string;
let folder: string;
let count = 0;
const open: Database[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tetrad-prisma-'));
});

beforeEach(async () => {
  folder = join(base, String((count += 1)));
  await mkdir(folder);
});

afterAll(async () => {
  for (const database of open) await database.close();
  await stopServer();
  rmSync(base, { recursive: true });
});

async function connect(url: string): Promise<Database> {
  const database = await connectDatabase({ url });
  open.push(database);
  return database;
}

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, 'migrations', name), { recursive: true });
  writeFileSync(join(folder, 'migrations', name, 'migration.sql'), sql);
}

/** A folder with both migrations, and their names. */
async function authored(): Promise<string[]> {
  await addMigration(
    '20260101000000_first',
    'CREATE TABLE "Owner" (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);',
  );
  await addMigration('20260102000000_second', 'CREATE TABLE "Pet" (id BIGSERIAL PRIMARY KEY);');
  return listMigrations(folder);
}

describe('deploying', () => {
  it('applies what is missing, in order, once', async () => {
    const url = await newDatabase();
    const names = await authored();
    expect(await migrateDeploy(url, folder)).toEqual(names);
    expect(await migrateDeploy(url, folder)).toEqual([]);
    await expect(checkSchema(await connect(url), folder)).resolves.toBeUndefined();
  });

  it('refuses the database of another service, and names that service', async () => {
    const url = await newDatabase();
    await migrateDeploy(url, prismaFolder('wallet'));
    const text = 'the database is that of a wallet, not of a signer; give each its own';
    await expect(migrateDeploy(url, prismaFolder('signer'))).rejects.toThrow(text);
    await expect(checkSchema(await connect(url), prismaFolder('signer'))).rejects.toThrow(text);
    await expect(checkSchema(await connect(url), prismaFolder('wallet'))).resolves.toBeUndefined();
  });

  it('by several replicas at a time applies every migration once', async () => {
    const url = await newDatabase();
    const names = await authored();
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrateDeploy(url, folder)));
    expect(applied.flat().sort()).toEqual(names);
  });

  it('records what Prisma records: checksum of the bytes, times, one step', async () => {
    const url = await newDatabase();
    // Line ends of another system count: Prisma hashes the file as it is.
    const script = 'CREATE TABLE a (id int);\r\n';
    await addMigration('20260101000000_a', script);
    await migrateDeploy(url, folder);
    const { rows } = await (
      await connect(url)
    ).pool.query<Record<string, unknown>>(
      'SELECT *, started_at < finished_at AS ordered FROM _prisma_migrations',
    );
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        // Written by the schema engine 7.10.0 for this file.
        checksum: 'b3211928df26de9da32f53b5ebf1324092c572a7518bd18873a5bf8d6febfa16',
        migration_name: '20260101000000_a',
        logs: null,
        rolled_back_at: null,
        applied_steps_count: 1,
        ordered: true,
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
      },
    ]);
  });

  it('stores nothing of a migration that fails but a mark, and goes no further until it is resolved', async () => {
    const url = await newDatabase();
    const database = await connect(url);
    await addMigration('20260101000000_bad', 'CREATE TABLE half (); CREATE TABLE half ();');
    await expect(migrateDeploy(url, folder)).rejects.toThrow(
      'migration 20260101000000_bad failed: relation "half" already exists',
    );
    const half = await database.pool.query("SELECT to_regclass('half') AS half");
    expect(half.rows).toEqual([{ half: null }]);
    const unfinished = 'migration 20260101000000_bad of the database did not finish';
    await expect(checkSchema(database, folder)).rejects.toThrow(unfinished);
    await addMigration('20260101000000_bad', 'CREATE TABLE half ();');
    await expect(migrateDeploy(url, folder)).rejects.toThrow(unfinished);
    // What `prisma migrate resolve --rolled-back` does.
    await database.pool.query('UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await migrateDeploy(url, folder)).toEqual(['20260101000000_bad']);
    await expect(checkSchema(database, folder)).resolves.toBeUndefined();
  });

  it('refuses a script that ends its own transaction', async () => {
    await addMigration('20260101000000_ends', 'CREATE TABLE a (); COMMIT; BEGIN;');
    await expect(migrateDeploy(await newDatabase(), folder)).rejects.toThrow(
      'migration 20260101000000_ends failed: its script ends the transaction it runs in',
    );
  });

  it('that loses its connection in the middle leaves nothing, and the next one applies it', async () => {
    const url = await newDatabase();
    const database = await connect(url);
    await addMigration(
      '20260101000000_slow',
      "CREATE TABLE slow (); SELECT pg_advisory_lock(1); SELECT 'slow';",
    );
    const blocker = await database.pool.connect();
    await blocker.query('SELECT pg_advisory_lock(1)');
    const deploying = migrateDeploy(url, folder).catch((error: Error) => error);
    let killed = 0;
    while (killed === 0) {
      const { rowCount } = await database.pool.query(
        `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%slow%'`,
      );
      killed = rowCount ?? 0;
    }
    expect(await deploying).toMatchObject({ name: 'DatabaseUnavailableError' });
    const left = await database.pool.query(
      "SELECT to_regclass('slow') AS slow, to_regclass('_prisma_migrations') AS rows",
    );
    expect(left.rows).toEqual([{ slow: null, rows: null }]);
    await blocker.query('SELECT pg_advisory_unlock(1)');
    blocker.release();
    expect(await migrateDeploy(url, folder)).toEqual(['20260101000000_slow']);
  });

  it('waits for the lock that Prisma’s own command line takes', async () => {
    const url = await newDatabase();
    const names = await authored();
    const prisma = await (await connect(url)).pool.connect();
    await prisma.query('SELECT pg_advisory_lock(72707369)');
    let settled = false;
    const deploying = migrateDeploy(url, folder).finally(() => (settled = true));
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await prisma.query(waiting)).rowCount === 0);
    expect(settled).toBe(false);
    await prisma.query('SELECT pg_advisory_unlock(72707369)');
    prisma.release();
    expect(await deploying).toEqual(names);
  });

  it('refuses by name what was edited since, and what a newer version has applied', async () => {
    const url = await newDatabase();
    await authored();
    await migrateDeploy(url, folder);
    await addMigration('20260103000000_third', 'CREATE TABLE third ();');
    await addMigration('20260101000000_first', 'SELECT 1;');
    await expect(migrateDeploy(url, folder)).rejects.toThrow(
      'migration 20260101000000_first of the database is not the one that this version has under that name',
    );
    rmSync(join(folder, 'migrations', '20260101000000_first'), { recursive: true });
    await expect(migrateDeploy(url, folder)).rejects.toThrow(
      'the database schema is newer than this version: it has migration 20260101000000_first',
    );
    const third = await (await connect(url)).pool.query("SELECT to_regclass('third') AS third");
    expect(third.rows).toEqual([{ third: null }]);
  });
});

describe('the check at start', () => {
  it('refuses a database without schema', async () => {
    await expect(checkSchema(await connect(await newDatabase()), folder)).rejects.toThrow(
      'has no schema yet',
    );
  });

  it('refuses an older and a newer schema', async () => {
    const url = await newDatabase();
    await authored();
    await migrateDeploy(url, folder);
    const database = await connect(url);
    await addMigration('20260103000000_third', 'SELECT 1;');
    await expect(checkSchema(database, folder)).rejects.toThrow(
      'the database schema is older than this version: it lacks migration 20260103000000_third',
    );
    rmSync(join(folder, 'migrations', '20260103000000_third'), { recursive: true });
    rmSync(join(folder, 'migrations', '20260102000000_second'), { recursive: true });
    await expect(checkSchema(database, folder)).rejects.toThrow(
      'the database schema is newer than this version: it has migration 20260102000000_second',
    );
  });

  it('refuses a migration that was edited after it was applied', async () => {
    const url = await newDatabase();
    await authored();
    await migrateDeploy(url, folder);
    await addMigration('20260102000000_second', 'CREATE TABLE "Other" ();');
    await expect(checkSchema(await connect(url), folder)).rejects.toThrow(
      'migration 20260102000000_second of the database is not the one that this version has under that name',
    );
  });
});
