import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { takeFolderLock } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';
import {
  backupDatabase,
  connectDatabase,
  migrateDeploy,
  prismaFolder,
  readBackupEvents,
  restoreDatabase,
  type BackupTable,
  type Database,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

const TABLES: readonly BackupTable[] = [
  { name: 'payload' },
  { name: 'payload_recipient' },
  { name: 'undelivered_payload' },
  { name: 'raw_payload' },
  { name: 'staged_payload' },
  { name: 'privacy_group' },
  { name: 'key_holder' },
  { name: 'completeness' },
  { name: 'latest_epoch' },
  { name: 'message_pair' },
  { name: 'outgoing_message' },
  { name: 'incoming_message' },
];
const PAYLOADS = 500;

const opened: Database[] = [];
async function openDatabase(): Promise<Database> {
  const url = await newDatabase();
  await migrateDeploy(url, prismaFolder('transaction-manager'));
  const database = await connectDatabase({ url });
  opened.push(database);
  return database;
}

let source: Database;
let target: Database;
let scratch: string;
let folder: string;
beforeAll(async () => {
  source = await openDatabase();
  for (let index = 0; index < PAYLOADS; index++) await addPayload(source, randomBytes(200 + index));
  await source.pool.query(
    `INSERT INTO privacy_group (id, lookup, name, description, seed, members, kind, active)
     VALUES ('\\x01', '\\x02', 'a "name"', $1, '\\x', ARRAY['\\x03'::bytea, '\\x'::bytea], 'LEGACY', true)`,
    ['line\nline\\.'],
  );
});
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tetrad-backup-'));
  folder = join(scratch, 'backup');
  target = await openDatabase();
});
afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
  for (const database of opened.splice(1)) await database.close();
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await stopServer();
});

/** A draft, as a killed process leaves it. */
async function draftOf(path: string): Promise<string> {
  await mkdir(`${path}.part`);
  return `${path}.part`;
}

async function addPayload({ pool }: Database, encoded: Buffer): Promise<void> {
  const { rows } = await pool.query<{ sequence: number }>(
    'INSERT INTO payload (hash, encoded) VALUES ($1, $2) RETURNING sequence',
    [randomBytes(64), encoded],
  );
  await pool.query('INSERT INTO payload_recipient (key, sequence) VALUES ($1, $2)', [
    randomBytes(32),
    rows[0]?.sequence,
  ]);
}

async function contents({ pool }: Database): Promise<string[]> {
  const texts = TABLES.map(async ({ name }) => {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT coalesce(string_agg(r::text, '|' ORDER BY r::text), '') AS text FROM "${name}" AS r`,
    );
    return `${name}: ${rows[0]?.text}`;
  });
  return Promise.all(texts);
}

const backUp = (tables: readonly BackupTable[] = TABLES) =>
  backupDatabase(source, { folder, kind: 'payloads' }, async () => ({ tables, facts: { height: 7 } }));
const restore = () => restoreDatabase(target, { folder, kind: 'payloads' });
const countPayloads = async ({ pool }: Database) =>
  (await pool.query<{ n: number }>('SELECT count(*) AS n FROM payload')).rows[0]?.n;

describe('a backup', () => {
  it('restores every row unchanged, and sequences continue after them', async () => {
    const manifest = await backUp();
    expect(manifest).toMatchObject({ kind: 'payloads', facts: { height: 7 } });
    expect(await restore()).toEqual(manifest);
    expect(await contents(target)).toEqual(await contents(source));
    await addPayload(target, randomBytes(10));
    expect(await countPayloads(target)).toBe(PAYLOADS + 1);
  });

  it('is of one snapshot, whatever is written meanwhile', async () => {
    const before = await contents(source);
    await backupDatabase(source, { folder, kind: 'payloads' }, async (client) => {
      await client.query('SELECT');
      await addPayload(source, randomBytes(10));
      return { tables: TABLES, facts: {} };
    });
    await restore();
    expect(await contents(target)).toEqual(before);
    await source.pool.query('DELETE FROM payload WHERE sequence = (SELECT max(sequence) FROM payload)');
  });

  it('has files that only its owner can read, and a checksum as sha256sum checks it', async () => {
    await backUp();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
    const { stdout } = await promisify(execFile)('sha256sum', ['-c', 'manifest.json.sha256'], {
      cwd: folder,
    });
    expect(stdout).toBe('manifest.json: OK\n');
  });

  it('is recorded in its database and not in the restored one, when that is wanted', async () => {
    await backUp();
    expect([...(await readBackupEvents(source.pool))]).toEqual([]);
    const recorded = join(scratch, 'recorded');
    const onUnrecorded = (error: Error) => {
      throw error;
    };
    const where = { folder: recorded, kind: 'payloads', onUnrecorded } as const;
    const { createdAt } = await backupDatabase(source, where, async () => ({ tables: TABLES, facts: {} }));
    expect([...(await readBackupEvents(source.pool))]).toEqual([['backup', new Date(createdAt)]]);
    await restoreDatabase(target, { folder: recorded, kind: 'payloads' });
    expect([...(await readBackupEvents(target.pool))]).toEqual([]);
  });

  it('is complete when the role may not record it', async () => {
    const client = await source.pool.connect();
    const refused: Error[] = [];
    try {
      await client.query('ALTER TABLE backup_event RENAME TO elsewhere');
      const where = {
        folder,
        kind: 'payloads',
        onUnrecorded: (error: Error) => void refused.push(error),
      } as const;
      const tables = [...TABLES, { name: 'elsewhere', where: 'false' }];
      await backupDatabase(source, where, async () => ({ tables, facts: {} }));
    } finally {
      await client.query('ALTER TABLE elsewhere RENAME TO backup_event');
      client.release();
    }
    expect(refused.map(({ message }) => message)).toEqual(['relation "backup_event" does not exist']);
    expect(await readdir(folder)).toContain('manifest.json');
  });

  it('overwrites nothing', async () => {
    await backUp();
    const before = await readFile(join(folder, 'manifest.json'), 'utf8');
    await expect(backUp()).rejects.toThrow(/is there already; a backup overwrites nothing$/);
    expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toBe(before);
  });

  it('that fails leaves nothing, and the draft of a killed one is removed by the next', async () => {
    await expect(backUp(TABLES.slice(1))).rejects.toThrow('table payload is not both in the database');
    expect(await readdir(scratch)).toEqual([]);
    await mkdir(`${folder}.part`);
    await writeFile(join(`${folder}.part`, 'payload.copy'), 'half of i');
    await expect(restore()).rejects.toThrow(/backup: there is no such folder, and so no backup$/);
    await mkdir(folder);
    await expect(restore()).rejects.toThrow(/is an incomplete backup: it has no manifest\.json/);
    await rm(folder, { recursive: true });
    await backUp();
    expect(await readdir(scratch)).toEqual(['backup']);
    await restore();
  });

  it('does not begin while a folder in a left draft is still written', async () => {
    const held = await takeFolderLock(join(await draftOf(folder), 'node.lock'));
    await expect(backUp()).rejects.toThrow(/backup\.part: is being written by this process$/);
    await held.release();
    await backUp();
    expect(await readdir(scratch)).toEqual(['backup']);
  });

  it('contains the rows and values that the plan selects', async () => {
    const tables = TABLES.map((table) =>
      table.name === 'privacy_group'
        ? { ...table, values: { name: `'other'::text` } }
        : { ...table, where: 'false' },
    );
    await backUp(tables);
    await restore();
    expect(await countPayloads(target)).toBe(0);
    expect((await target.pool.query('SELECT name FROM privacy_group')).rows).toEqual([{ name: 'other' }]);
  });
});

describe('restoring', () => {
  const manifestPath = () => join(folder, 'manifest.json');
  const payloads = () => join(folder, 'payload.copy');
  const groups = () => join(folder, 'privacy_group.copy');

  async function flipByte(path: string, at: number): Promise<void> {
    const bytes = await readFile(path);
    bytes[at] = (bytes[at] as number) ^ 1;
    await writeFile(path, bytes);
  }

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a byte is another', () => flipByte(payloads(), 5_000), /payload\.copy: is not as it was written/],
    ['the last file is another', () => flipByte(groups(), 60), /privacy_group\.copy: is not as it was/],
    ['a file is cut short', () => truncate(payloads(), 10_000), /payload\.copy: is not as it was written/],
    [
      'a file is empty',
      () => truncate(groups(), 0),
      /privacy_group\.copy: is not as it was written: 0 bytes/,
    ],
    ['a large file goes on', () => appendFile(payloads(), 'more'), /payload\.copy: is not as it was written/],
    ['a file goes on', () => appendFile(groups(), 'more'), /privacy_group\.copy: is not as it was written/],
    ['a file is missing', () => rm(groups()), /privacy_group\.copy: is missing$/],
    [
      'the manifest is another',
      () => flipByte(manifestPath(), 40),
      /manifest\.json: does not have the checksum/,
    ],
    [
      'the manifest is missing',
      () => rm(manifestPath()),
      /is an incomplete backup: it has no manifest\.json/,
    ],
    ['the manifest is huge', () => truncate(manifestPath(), 50_000_000), /is larger than a manifest/],
  ])('stores nothing when %s', async (_title, damage, message) => {
    await backUp();
    await damage();
    const refused = restore();
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(OperatorError);
    expect(await contents(target)).toEqual(TABLES.map(({ name }) => `${name}: `));
  });

  it('is refused where there are rows, also those of another restore at the same time', async () => {
    await backUp();
    const outcomes = await Promise.allSettled([restore(), restore()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(restore()).rejects.toThrow(
      'the database is not empty: table payload has rows; restore into a new one',
    );
    expect(await contents(target)).toEqual(await contents(source));
  });

  it('repeated after an attempt that succeeded accepts this very backup, and no other', async () => {
    await backUp();
    const resume = (from: string) =>
      restoreDatabase(target, { folder: from, kind: 'payloads', resume: true });
    await resume(folder);
    const before = await contents(target);
    await resume(folder);
    expect(await contents(target)).toEqual(before);
    const other = join(scratch, 'other');
    const plan = async () => ({ tables: TABLES, facts: {} });
    await backupDatabase(source, { folder: other, kind: 'payloads' }, plan);
    await expect(resume(other)).rejects.toThrow('the database is not empty');
    await expect(restore()).rejects.toThrow('the database is not empty');
  });

  it('is refused for a backup of something else, or of another version', async () => {
    await backUp();
    await expect(restoreDatabase(target, { folder, kind: 'node' })).rejects.toThrow(
      /is a backup of kind payloads, not node$/,
    );
    await target.pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_later', now())`,
    );
    await expect(restore()).rejects.toThrow(/^the database has migration 9999_later, the other has not/);
  });

  it('whose connection is ended in the middle stores nothing, and can be done again', async () => {
    await backUp();
    // The last table: all others are loaded by then.
    await target.pool.query(`CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'`);
    await target.pool.query(
      'CREATE TRIGGER crash BEFORE INSERT ON privacy_group FOR EACH ROW EXECUTE FUNCTION crash()',
    );
    await expect(restore()).rejects.toThrow();
    expect(await countPayloads(target)).toBe(0);
    await target.pool.query('DROP TRIGGER crash ON privacy_group');
    await restore();
    expect(await contents(target)).toEqual(await contents(source));
  });
});
