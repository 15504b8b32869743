import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { parseHash } from '@tetrad/types';
import { LedgerStoreError, openLedgerStore, type LedgerStore } from '../src/index.js';

const ROW = { hash: parseHash(`0x${'ab'.repeat(32)}`), raw: Uint8Array.of(1) };

let testDatabase: TestDatabase;
let database: Database;
let store: LedgerStore;

beforeEach(async () => {
  testDatabase = await createTestDatabase('node');
  database = await connectDatabase({ url: testDatabase.url });
  store = await openLedgerStore(database);
});
afterEach(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

/** Ends every connection to the database but the one that asks. */
async function cutConnections(): Promise<void> {
  const admin = await connectDatabase({ url: testDatabase.url, poolSize: 1 });
  await admin.pool.query(
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await admin.close();
}

async function lockHolders(): Promise<number> {
  const { rows } = await database.pool.query<{ holders: number }>(
    `SELECT count(*) AS holders FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return Number(rows[0]?.holders);
}

/** Tries until connections that are going have gone; an error that is expected ends it too. */
async function insist<T>(work: () => Promise<T>, expected?: RegExp): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && expected?.test(error.message)) throw error;
      await new Promise((tick) => setTimeout(tick, 10));
    }
  }
}

describe('the lock of a node on its database', () => {
  it('refuses a second node, and lets it in when the first has closed', async () => {
    await expect(openLedgerStore(database)).rejects.toThrow(LedgerStoreError);
    await expect(openLedgerStore(database)).rejects.toThrow('the database is in use by another node');
    await store.close();
    store = await openLedgerStore(database);
    expect(await lockHolders()).toBe(1);
  });

  it('is taken again before the next write when its connection was lost', async () => {
    await cutConnections();
    await insist(async () => {
      await store.journal.append(ROW);
      if ((await lockHolders()) !== 1) throw new Error('the driver has not noticed the loss yet');
    });
    expect(await store.journal.load()).toHaveLength(1);
  });

  it('stops a node that lost it from writing while another has it', async () => {
    await cutConnections();
    const other = await connectDatabase({ url: testDatabase.url });
    const taker = await openLedgerStore(other);
    const attempt = insist(() => store.journal.append(ROW), /in use by another node/);
    await expect(attempt).rejects.toThrow(DatabaseUnavailableError);
    expect(await store.journal.load()).toEqual([]);
    await taker.close();
    await other.close();
    await insist(() => store.journal.append(ROW));
    expect(await store.journal.load()).toHaveLength(1);
  });

  it('is asked for no more once the store is closed', async () => {
    await store.close();
    await expect(store.journal.append(ROW)).rejects.toThrow('the store is closed');
  });
});
