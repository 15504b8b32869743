import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  checkSchema,
  connectDatabase,
  generateClient,
  listMigrations,
  migrateDeploy,
  migrateNew,
  type Database,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

const HEADER = `
generator client {
  provider = "prisma-client"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
}
`;
const FIRST = `${HEADER}
model Owner {
  id   Int    @id
  name String @unique
}
`;
const SECOND = `${HEADER}
model Owner {
  id   Int    @id
  name String @unique
  pets Pet[]
}

model Pet {
  id      BigInt @id @default(autoincrement())
  tag     Bytes
  ownerId Int    @map("owner_id")
  owner   Owner  @relation(fields: [ownerId], references: [id], onDelete: Cascade)

  @@index([ownerId])
}
`;

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
  writeSchema(FIRST);
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

function writeSchema(text: string): void {
  writeFileSync(join(folder, 'schema.prisma'), text);
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

describe('authoring', () => {
  it('writes the first migration, then only what changed, then nothing', async () => {
    const first = await migrateNew(await newDatabase(), folder, 'first');
    expect(readFileSync(join(String(first), 'migration.sql'), 'utf8')).toContain('CREATE TABLE "Owner"');
    expect(readFileSync(join(folder, 'migrations', 'migration_lock.toml'), 'utf8')).toContain('postgresql');
    writeSchema(SECOND);
    // Names are made of seconds; the second one must sort behind the first.
    const second = await migrateNew(await newDatabase(), folder, 'second');
    const script = readFileSync(join(String(second), 'migration.sql'), 'utf8');
    expect(script).toContain('CREATE TABLE "Pet"');
    expect(script).toContain('FOREIGN KEY ("owner_id") REFERENCES "Owner"("id") ON DELETE CASCADE');
    expect(script).not.toContain('CREATE TABLE "Owner"');
    expect(await migrateNew(await newDatabase(), folder, 'third')).toBeUndefined();
  });
});

describe('deploying', () => {
  it('applies what is missing, in order, once', async () => {
    const url = await newDatabase();
    const names = await authored();
    expect(await migrateDeploy(url, folder)).toEqual(names);
    expect(await migrateDeploy(url, folder)).toEqual([]);
    await expect(checkSchema(await connect(url), folder)).resolves.toBeUndefined();
  });

  it('by several replicas at a time applies every migration once', async () => {
    const url = await newDatabase();
    const names = await authored();
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrateDeploy(url, folder)));
    expect(applied.flat()).toEqual(names);
  });

  it('reports a migration that fails and leaves it marked', async () => {
    const url = await newDatabase();
    await addMigration('20260101000000_bad', 'CREATE TABLE nonsense (;');
    await expect(migrateDeploy(url, folder)).rejects.toThrow(/20260101000000_bad/);
    await expect(checkSchema(await connect(url), folder)).rejects.toThrow(
      'migration 20260101000000_bad of the database did not finish',
    );
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

describe('generating clients', () => {
  it('happens offline, and again only when the schema has changed', async () => {
    expect(await generateClient(folder)).toBe(true);
    expect(existsSync(join(folder, 'generated', 'client.ts'))).toBe(true);
    expect(await generateClient(folder)).toBe(false);
    writeSchema(SECOND);
    expect(await generateClient(folder)).toBe(true);
    expect(existsSync(join(folder, 'generated', 'models', 'Pet.ts'))).toBe(true);
  });

  it('says what is wrong with a schema', async () => {
    writeSchema(`${HEADER}\nmodel Broken {\n  id Nothing\n}\n`);
    await expect(generateClient(folder)).rejects.toThrow(/Type "Nothing" is neither a built-in type/);
  });
});
