import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, createDatabase, listPrismaFolders, migrateDeploy, prismaFolder } from '@tetrad/db';
import { testServerUrl } from '@tetrad/testkit';
import { migrateNew, migrateStatus } from '../src/index.js';

const HEADER = `
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

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tetrad-prisma-'));
  // Prisma looks for one in every parent folder, which may contain one.
  writeFileSync(join(base, 'tsconfig.json'), '{}');
});

beforeEach(async () => {
  folder = join(base, String((count += 1)));
  await mkdir(folder);
  writeSchema(FIRST);
});

afterAll(() => rmSync(base, { recursive: true }));

function writeSchema(text: string, name = 'schema'): void {
  writeFileSync(join(folder, `${name}.prisma`), text);
}

async function newDatabase(): Promise<string> {
  return createDatabase(await testServerUrl(), `test_${randomBytes(8).toString('hex')}`);
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
    // Split into a file of each part, it is the same schema.
    writeSchema(HEADER);
    writeSchema(SECOND.slice(HEADER.length), 'owners');
    expect(await migrateNew(await newDatabase(), folder, 'third')).toBeUndefined();
  });
});

describe('the records of our deployment, as Prisma reads them', () => {
  const inStep = {
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  };

  it('is in step with the committed migrations, of every service', async () => {
    for (const service of await listPrismaFolders()) {
      const url = await newDatabase();
      await migrateDeploy(url, prismaFolder(service));
      expect(await migrateStatus(url, prismaFolder(service))).toEqual(inStep);
    }
  });

  it('is the state that the schema files describe, of every service', async () => {
    for (const service of await listPrismaFolders())
      expect(await migrateNew(await newDatabase(), prismaFolder(service), 'none')).toBeUndefined();
  });

  it('is a failed migration when one failed, and an edited one when its file has changed', async () => {
    const url = await newDatabase();
    const write = async (name: string, sql: string) => {
      await mkdir(join(folder, 'migrations', name), { recursive: true });
      writeFileSync(join(folder, 'migrations', name, 'migration.sql'), sql);
    };
    await write('20260101000000_good', 'SELECT 1;');
    await write('20260102000000_bad', 'SELECT nothing;');
    await expect(migrateDeploy(url, folder)).rejects.toThrow('20260102000000_bad');
    await write('20260101000000_good', 'SELECT 2;');
    expect(await migrateStatus(url, folder)).toMatchObject({
      editedMigrationNames: ['20260101000000_good'],
      failedMigrationNames: ['20260102000000_bad'],
    });
  });

  it('is where the columns of its table are those that Prisma makes', async () => {
    const url = await newDatabase();
    await migrateDeploy(url, prismaFolder('wallet'));
    const { pool, close } = await connectDatabase({ url, poolSize: 1 });
    const { rows } = await pool.query(
      `SELECT column_name, udt_name, character_maximum_length, is_nullable, column_default
         FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
    );
    await close();
    // The table of the schema engine 7.10.0, from before we deployed migrations ourselves.
    expect(rows.map((row) => Object.values(row as object).join(' '))).toEqual([
      'id varchar 36 NO ',
      'checksum varchar 64 NO ',
      'finished_at timestamptz  YES ',
      'migration_name varchar 255 NO ',
      'logs text  YES ',
      'rolled_back_at timestamptz  YES ',
      'started_at timestamptz  NO now()',
      'applied_steps_count int4  NO 0',
    ]);
  });
});
