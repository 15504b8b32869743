import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import pg from 'pg';
import { AuditLog, faultOfHead, verifyAuditChain, type AuditDecision } from '../src/index.js';

let testDatabase: TestDatabase;
let databases: Database[];
let stores: SignerStore[];

/** A replica's log on the test's database. */
async function openLog(): Promise<AuditLog> {
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 2 });
  const store = openSignerStore(database);
  databases.push(database);
  stores.push(store);
  return new AuditLog(store.audit, systemClock);
}

const decision = (index: number): AuditDecision => ({
  caller: `caller ${index}`,
  key: '0x7577919ae5df4941180eac211965f275cdce314d',
  method: 'eth_sendTransaction',
  digest: Buffer.alloc(32, index),
  transaction: { to: null, value: 10n ** 30n, data: Uint8Array.of(1, 2) },
  decision: index % 2 === 0 ? 'allowed' : 'refused',
  reason: index % 2 === 0 ? '' : 'POLICY_REFUSED',
});
const store = () => stores[0] as SignerStore;
const verify = async () => verifyAuditChain(store().audit.rows(), await store().audit.head());

/** Whether a statement that appends leaves its commit to a later one. */
function laterOf(statement: unknown): unknown[] {
  const { name, values = [] } = statement as { name?: unknown; values?: readonly unknown[] };
  return name === 'append-audit-entries' ? [values.at(-1)] : [];
}

/** Changes rows with the rights of the database owner. */
async function tamper(sql: string): Promise<void> {
  const database = databases[0] as Database;
  for (const table of ['audit_entry', 'audit_head'])
    await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  await database.pool.query(sql);
  for (const table of ['audit_entry', 'audit_head'])
    await database.pool.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
}

beforeEach(async () => {
  testDatabase = await createTestDatabase('signer');
  databases = [];
  stores = [];
});
afterEach(async () => {
  for (const one of databases) await one.close();
  await testDatabase.drop();
});

describe('the audit log', () => {
  it('is intact when it is empty', async () => {
    await openLog();
    expect(await verify()).toMatchObject({ intact: true, entries: 0 });
  });

  it('has one row for each decision, in one chain, when replicas write at the same time', async () => {
    const logs = [await openLog(), await openLog(), await openLog()];
    await Promise.all(
      Array.from({ length: 1_500 }, (_, index) =>
        (logs[index % 3] as AuditLog).append(decision(index % 256)),
      ),
    );
    expect(await verify()).toMatchObject({ intact: true, entries: 1_500 });
  });

  it.each([
    ['waits for the disk when one of them needs it', 'at-once', [false, false]],
    ['leaves it to a later commit when all of them may', 'with-a-later-commit', [false, true]],
  ] as const)('stores decisions that came together in one commit, which %s', async (_which, other, waits) => {
    const log = await openLog();
    const query = jest.spyOn(pg.Client.prototype, 'query');
    try {
      // The first one looks at the head in a transaction of its own.
      await log.append(decision(0));
      await Promise.all([log.append(decision(2), 'with-a-later-commit'), log.append(decision(4), other)]);
      const appended = query.mock.calls.flatMap(([statement]: readonly unknown[]) => laterOf(statement));
      expect(appended).toEqual(waits);
    } finally {
      query.mockRestore();
    }
    expect(await verify()).toMatchObject({ intact: true, entries: 3 });
  });

  it('does not wait for the disk in the statement that says so, and only in it', async () => {
    await openLog();
    const { pool } = databases[0] as Database;
    // The server of the tests waits for no commit; connections that are opened from now on do.
    await pool.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$",
    );
    const log = await openLog();
    await pool.query('CREATE TABLE seen (setting text)');
    await pool.query(
      "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen SELECT current_setting(''synchronous_commit''); RETURN NULL; END'",
    );
    await pool.query(
      'CREATE TRIGGER see AFTER INSERT ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION see()',
    );
    await log.append(decision(0), 'with-a-later-commit');
    await log.append(decision(2), 'with-a-later-commit');
    await log.append(decision(4));
    const { rows } = await pool.query<{ setting: string }>('SELECT setting FROM seen');
    expect(rows.map(({ setting }) => setting)).toEqual(['off', 'off', 'on']);
  });

  it('keeps decisions as readable text', async () => {
    const log = await openLog();
    await log.append(decision(1));
    const rows = [];
    for await (const row of store().audit.rows()) rows.push(row);
    expect(rows).toMatchObject([
      {
        sequence: 1,
        caller: 'caller 1',
        decision: 'refused',
        reason: 'POLICY_REFUSED',
        transaction: '{"to":null,"value":"1000000000000000000000000000000","data":"0x0102"}',
      },
    ]);
  });

  it('takes callers whose names the database cannot hold', async () => {
    const log = await openLog();
    await log.append({ ...decision(0), caller: 'nul \0 and half \ud800' });
    expect(await verify()).toMatchObject({ intact: true, entries: 1 });
  });

  it.each([
    ['UPDATE', "UPDATE audit_entry SET reason = 'none'"],
    ['DELETE', 'DELETE FROM audit_entry'],
    ['TRUNCATE', 'TRUNCATE audit_entry'],
    ['DELETE', 'DELETE FROM audit_head'],
    ['UPDATE', "UPDATE audit_head SET sequence = 0, hash = decode(repeat('00', 32), 'hex')"],
    ['UPDATE', 'UPDATE audit_head SET sequence = sequence + 1'],
    ['UPDATE', "UPDATE audit_head SET hash = decode(repeat('11', 32), 'hex')"],
    ['UPDATE', 'UPDATE audit_head SET sequence = sequence'],
  ])('refuses %s by the database itself', async (operation, sql) => {
    const log = await openLog();
    await log.append(decision(0));
    await expect((databases[0] as Database).pool.query(sql)).rejects.toThrow(
      `the audit log is append-only: ${operation} of`,
    );
  });
});

describe('verification', () => {
  beforeEach(async () => {
    const log = await openLog();
    await Promise.all(Array.from({ length: 20 }, (_, index) => log.append(decision(index))));
  });

  it.each([
    ['a changed reason', "UPDATE audit_entry SET reason = 'ok' WHERE sequence = 7", 7, 'changed'],
    ['a changed transaction', "UPDATE audit_entry SET transaction = '{}' WHERE sequence = 9", 9, 'changed'],
    ['a digest taken away', 'UPDATE audit_entry SET digest = NULL WHERE sequence = 3', 3, 'changed'],
    ['a changed time', 'UPDATE audit_entry SET time_ms = time_ms + 1 WHERE sequence = 20', 20, 'changed'],
    ['a row taken away', 'DELETE FROM audit_entry WHERE sequence = 5', 5, 'missing'],
    ['the first rows taken away', 'DELETE FROM audit_entry WHERE sequence < 4', 1, 'missing'],
    ['the last rows taken away', 'DELETE FROM audit_entry WHERE sequence > 15', 16, 'missing'],
    [
      'two rows in each other’s place',
      `UPDATE audit_entry SET sequence = -sequence WHERE sequence IN (4, 5);
       UPDATE audit_entry SET sequence = 9 + sequence WHERE sequence < 0`,
      4,
      'changed',
    ],
    [
      'a row before the first',
      'INSERT INTO audit_entry SELECT 0, time_ms, caller, key, method, digest, transaction, decision, reason, previous_hash, hash FROM audit_entry WHERE sequence = 1',
      0,
      'out of order',
    ],
  ])('names the row of %s', async (_case, sql, sequence, problem) => {
    await tamper(sql);
    expect(await verify()).toMatchObject({ intact: false, fault: { sequence, problem } });
  });

  it.each([
    [
      'back to an entry that is there',
      'sequence = 15, hash = (SELECT hash FROM audit_entry WHERE sequence = 15)',
      15,
    ],
    ['back to the beginning', "sequence = 0, hash = decode(repeat('00', 32), 'hex')", 0],
    ['to another hash', "hash = decode(repeat('11', 32), 'hex')", 20],
    ['to an entry that is not there', 'sequence = 21', 21],
  ])('finds a head that was moved %s, and nothing is written behind it', async (_where, change, sequence) => {
    expect(faultOfHead(await store().audit.end())).toBeUndefined();
    await tamper(`UPDATE audit_head SET ${change}`);
    expect(faultOfHead(await store().audit.end())).toMatch(`was changed: it names entry ${sequence}, `);
    const restarted = await openLog();
    await expect(restarted.append(decision(1))).rejects.toThrow();
    expect(faultOfHead(await store().audit.end())).toBeDefined();
  });

  it('detects a rehashed chain by a head that was kept elsewhere', async () => {
    const kept = await store().audit.head();
    const forged = await openForgery();
    expect(await verifyAuditChain(forged)).toMatchObject({ intact: true, entries: 20 });
    expect(await verifyAuditChain(forged, kept)).toMatchObject({ intact: false, fault: { sequence: 20 } });
  });

  it('cannot know of a cut tail without a head', async () => {
    await tamper('DELETE FROM audit_entry WHERE sequence > 15');
    expect(await verifyAuditChain(store().audit.rows())).toMatchObject({ intact: true, entries: 15 });
  });
});

/** The log with its first entry changed and every hash computed again. */
async function openForgery() {
  const { chainAuditEntries, AUDIT_START } = await import('../src/audit/entry-hash.js');
  const rows = [];
  for await (const row of store().audit.rows()) rows.push(row);
  return chainAuditEntries(
    rows.map((row, index) => (index === 0 ? { ...row, reason: 'forged' } : row)),
    AUDIT_START,
  );
}
