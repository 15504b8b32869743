import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DatabaseUrl,
  connectDatabase,
  grantRights,
  migrateDeploy,
  prismaFolder,
  type Database,
} from '@tetrad/db';
import { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS } from '@tetrad/types';
import { z } from 'zod';

/** The migration that gives the table `lane` its present name. */
const RENAMING = '20261126181500_nonce_sequence';

/** What the version before sends to the database. Source: vectors/ORIGIN.md */
const STATEMENTS = z
  .array(z.object({ name: z.string().optional(), text: z.string(), values: z.array(z.unknown()) }))
  .parse(
    JSON.parse(
      readFileSync(join(import.meta.dirname, '../vectors/statements-before-nonce-sequence.json'), 'utf8'),
    ),
  );
type Statement = (typeof STATEMENTS)[number];

/** A value as the driver takes it. */
function valueOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueOf);
  const { hex } = (value ?? {}) as { readonly hex?: string };
  return hex === undefined ? value : Buffer.from(hex, 'hex');
}

let folder: string;
let testDatabase: TestDatabase;
let database: Database;
/** Of a replica of the version before: one connection, which goes on while the database is migrated. */
let former: Database;
/** Of that replica: it owns no table. */
const role = `replica_${randomBytes(8).toString('hex')}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-version-before-'));
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, settings: SIGNER_DATABASE_SETTINGS });
  await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
  await migrateDeploy(testDatabase.url, schemaBefore());
  await grantRights(testDatabase.url, role);
  const url = new URL(testDatabase.url);
  url.username = role;
  former = await connectDatabase({
    url: DatabaseUrl.parse(url.href).withPassword(role).href,
    poolSize: 1,
    settings: SIGNER_DATABASE_SETTINGS,
  });
});
afterAll(async () => {
  await former.close();
  await database.pool.query(`DROP OWNED BY ${role}`);
  await database.pool.query(`DROP ROLE ${role}`);
  await database.close();
  await testDatabase.drop();
  rmSync(folder, { recursive: true });
});

/** A copy of the schema's folder as it was before the migration. */
function schemaBefore(): string {
  const copy = join(folder, 'signer');
  cpSync(prismaFolder('signer'), copy, { recursive: true });
  for (const name of readdirSync(join(copy, 'migrations')))
    if (name >= RENAMING && !name.endsWith('.toml'))
      rmSync(join(copy, 'migrations', name), { recursive: true });
  return copy;
}

const run = ({ name, text, values }: Statement) => {
  const statement = { text, values: values.map(valueOf) };
  return former.pool.query(name === undefined ? statement : { ...statement, name });
};

/** What every statement answers on an empty database, which is left empty: counts of rows, and names and types of columns. */
async function answers(): Promise<unknown[]> {
  await database.pool.query(`SELECT setval(pg_get_serial_sequence(relname, 'id'), 1, false) FROM pg_class
                              WHERE relname IN ('lane', 'nonce_sequence') AND relkind = 'r'`);
  await former.pool.query('BEGIN');
  const found: unknown[] = [];
  for (const statement of STATEMENTS) {
    const { rowCount, fields, rows } = await run(statement);
    const columns = fields.map(({ name, dataTypeID, dataTypeModifier }) => [
      name,
      dataTypeID,
      dataTypeModifier,
    ]);
    const [row] = statement.name === 'find-sequence' || statement.name === 'read-position' ? rows : [];
    found.push({ text: statement.text, rowCount, columns, row });
  }
  await former.pool.query('ROLLBACK');
  return found;
}

describe('while replicas of the version before run, the migrated database', () => {
  let before: unknown[];
  let store: SignerStore;
  beforeAll(async () => {
    before = await answers();
    await migrateDeploy(testDatabase.url, prismaFolder('signer'));
    store = openSignerStore(database);
  });

  it('answers each of their statements as it did, on a connection that had planned them', async () => {
    expect(before.length).toBeGreaterThan(60);
    expect(await answers()).toEqual(before);
  });

  it('assigns each nonce to one of both versions', async () => {
    const { id: sequenceId } = await store.sequences.open({ chainId: 9n, account: ZERO_ADDRESS });
    const find = STATEMENTS.find(({ name }) => name === 'find-sequence') as Statement;
    expect((await run(find)).rows).toEqual([{ id: sequenceId }]);
    const fresh = STATEMENTS.find(({ name }) => name === 'reserve-fresh') as Statement;
    const [, , replica] = fresh.values;
    const assigned: number[] = [];
    const ofFormer = async () => {
      const { rows } = await run({ ...fresh, values: [sequenceId, 1, replica] });
      assigned.push(...(rows as { first: string }[]).map(({ first }) => Number(first)));
    };
    const ofPresent = async () =>
      void assigned.push(...(await store.nonces.reserve({ sequenceId, wanted: 1 })).map(Number));
    // Each asks for one at a time, as a sequence of a replica does; both ask at once.
    const asks = async (ask: () => Promise<void>) => {
      for (let turn = 0; turn < 20; turn++) await ask();
    };
    await Promise.all([asks(ofFormer), asks(ofPresent)]);
    expect(assigned.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, nonce) => nonce));
  });

  it('has the locks of both versions wait for each other', async () => {
    const { id: sequenceId } = await store.sequences.open({ chainId: 9n, account: ZERO_ADDRESS });
    const lock = STATEMENTS.find(({ name }) => name === 'lock-sequence') as Statement;
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let settled: Promise<void> | undefined;
    await former.transaction(async (client) => {
      await client.query({ text: lock.text, values: [sequenceId] });
      settled = store.watch.settle(sequenceId, 3n);
      while ((await database.pool.query(waiting)).rowCount === 0)
        await new Promise((tick) => setTimeout(tick, 10));
      const { rows } = await client.query('SELECT mined_count FROM lane');
      expect(rows).toEqual([{ mined_count: '0' }]);
    });
    await settled;
    const { rows } = await former.pool.query('SELECT mined_count FROM lane');
    expect(rows).toEqual([{ mined_count: '3' }]);
  });
});
