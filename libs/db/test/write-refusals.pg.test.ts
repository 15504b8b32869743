import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, type Logger, type Metrics } from '@tetrad/types';
import {
  connectDatabase,
  databaseProblem,
  openServiceDatabase,
  prismaFolder,
  withDatabaseName,
  type Database,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

const run = promisify(execFile);

const lines: string[] = [];
const logger: Logger = {
  ...silentLogger,
  warn: (message) => void lines.push(message),
  info: (message) => void lines.push(message),
};

const opened: Database[] = [];
async function connect(url: string): Promise<Database> {
  const database = await connectDatabase({ url, poolSize: 2, logger });
  opened.push(database);
  return database;
}
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  lines.length = 0;
});
afterAll(stopServer);

const fail = (database: Database, code: string, text: string) =>
  expect(
    database.pool.query(`DO $$ BEGIN RAISE EXCEPTION '${text}' USING ERRCODE = '${code}'; END $$`),
  ).rejects.toMatchObject({ code });

describe('a database that refuses writes', () => {
  it('is noticed by any statement, in a transaction too, and is a problem until there is space', async () => {
    const database = await connect(await newDatabase());
    expect(await databaseProblem(database)).toBeUndefined();
    await fail(database, '53100', 'could not extend file');
    await expect(
      database.transaction((client) =>
        client.query(`DO $$ BEGIN RAISE EXCEPTION 'still full' USING ERRCODE = '53100'; END $$`),
      ),
    ).rejects.toMatchObject({ code: '53100' });
    expect(await databaseProblem(database)).toBe('writes are refused: still full');
    await database.recheckWrites();
    expect(await databaseProblem(database)).toBeUndefined();
    expect(lines).toEqual(['database refuses writes', 'database takes writes again']);
  });

  it('is not taken for one by a fault of a statement, or a limit of the server', async () => {
    const database = await connect(await newDatabase());
    await fail(database, '23505', 'duplicate key');
    await fail(database, '53400', 'temporary file size exceeds temp_file_limit');
    expect(await databaseProblem(database)).toBeUndefined();
  });

  it('may have been made read-only, as clouds do for lack of space', async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    const admin = await connect(withDatabaseName(url, 'postgres'));
    await (await connect(url)).pool.query('CREATE TABLE kept (bytes text)');
    await admin.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const database = await connect(url);
    await expect(database.pool.query(`INSERT INTO kept VALUES ('')`)).rejects.toMatchObject({
      code: '25006',
    });
    await database.recheckWrites();
    expect(await databaseProblem(database)).toBe('writes are refused: the server is read-only');
    for (const client of [await database.pool.connect(), await database.pool.connect()]) {
      await client.query('SET default_transaction_read_only = off');
      client.release();
    }
    await database.recheckWrites();
    expect(await databaseProblem(database)).toBeUndefined();
  });
});

/** A database on a disk of its own, of 40 MB. */
class SmallDisk {
  private constructor(
    readonly url: string,
    private readonly folder: string,
  ) {}

  static async make(): Promise<SmallDisk> {
    const admin = await connect(withDatabaseName(await newDatabase(), 'postgres'));
    const { rows } = await admin.pool.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder`,
    );
    const { uid, gid } = await stat(rows[0]?.folder ?? '');
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-small-disk-'));
    const options = `size=40m,uid=${uid},gid=${gid},mode=0700`;
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    const name = `small_${randomBytes(4).toString('hex')}`;
    await admin.pool.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
    await admin.pool.query(`CREATE DATABASE ${name} TABLESPACE ${name} TEMPLATE template0`);
    return new SmallDisk(withDatabaseName(await newDatabase(), name), folder);
  }

  async fill(): Promise<void> {
    const chunk = Buffer.alloc(64 * 1024);
    for (;;)
      try {
        await writeFile(join(this.folder, 'fill'), chunk, { flag: 'a' });
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
        return;
      }
  }

  free(): Promise<void> {
    return rm(join(this.folder, 'fill'));
  }

  async remove(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
    await rmdir(this.folder);
  }
}

/** Whether this process may mount a file system. */
async function mayMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-mount-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    await run('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    await rmdir(folder);
  }
}

const itWithDisk = (await mayMount()) ? it : it.skip;
if (itWithDisk === it.skip) process.stderr.write('SKIPPED: a full disk: this process may not mount one\n');

describe('a disk that is full', () => {
  itWithDisk('makes the database unavailable while it still answers, until there is space', async () => {
    const disk = await SmallDisk.make();
    const values = new Map<string, number>();
    const metrics: Metrics = {
      ...silentMetrics,
      gauge: (name) => ({ set: (value) => void values.set(name, value) }),
    };
    const service = await openServiceDatabase({
      name: 'wallet',
      dataDir: '',
      url: disk.url,
      migrate: true,
      poolSize: 2,
      prismaFolder: prismaFolder('wallet'),
      logger,
      metrics,
    });
    const { database } = service;
    try {
      const isAvailable = async (wanted: number) => {
        while (values.get('tetrad_database_available') !== wanted)
          await new Promise((tick) => setTimeout(tick, 100));
      };
      const write = (bytes: number) =>
        database.pool.query('INSERT INTO kept VALUES ($1)', [randomBytes(bytes / 2).toString('hex')]);
      await database.pool.query('CREATE TABLE kept (bytes text)');
      await write(100);
      await disk.fill();
      await expect(write(1_000_000)).rejects.toMatchObject({ code: '53100' });
      // There is room in the page.
      await write(100);
      await database.recheckWrites();
      expect(await databaseProblem(database)).toMatch(
        /^writes are refused: could not .+No space left on device/,
      );
      await isAvailable(0);
      await disk.free();
      await isAvailable(1);
      await write(1_000_000);
      expect(await databaseProblem(database)).toBeUndefined();
    } finally {
      await service.close();
      await disk.remove();
    }
  });
});
