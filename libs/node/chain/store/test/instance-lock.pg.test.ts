import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase } from '@tetrad/db';
import { parseHash } from '@tetrad/types';
import { LedgerStoreError, openLedgerStore } from '../src/index.js';
import { StoreFixture } from './store-fixture.js';

const ROW = { hash: parseHash(`0x${'ab'.repeat(32)}`), raw: Uint8Array.of(1), acceptedMs: 0 };

const open = StoreFixture.forEachTest();

/** Ends every connection to the database but the one that asks. */
async function cutConnections(): Promise<void> {
  const admin = await connectDatabase({ url: open.testDatabase.url, poolSize: 1 });
  await admin.pool.query(
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await admin.close();
}

async function lockHolders(): Promise<number> {
  const { rows } = await open.database.pool.query<{ holders: number }>(
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
  it('refuses a second node until the first has closed', async () => {
    await expect(openLedgerStore(open.database)).rejects.toThrow(LedgerStoreError);
    await expect(openLedgerStore(open.database)).rejects.toThrow('the database is in use by another node');
    await open.store.close();
    open.store = await openLedgerStore(open.database);
    expect(await lockHolders()).toBe(1);
  });

  it('is taken again before the next write when its connection was lost', async () => {
    await cutConnections();
    await insist(async () => {
      await open.store.journal.append(ROW);
      if ((await lockHolders()) !== 1) throw new Error('the driver has not noticed the loss yet');
    });
    expect(await open.store.journal.load()).toHaveLength(1);
  });

  it('stops a node that lost it from writing while another holds it', async () => {
    await cutConnections();
    const other = await connectDatabase({ url: open.testDatabase.url });
    const taker = await openLedgerStore(other);
    const attempt = insist(() => open.store.journal.append(ROW), /in use by another node/);
    await expect(attempt).rejects.toThrow(DatabaseUnavailableError);
    expect(await open.store.journal.load()).toEqual([]);
    await taker.close();
    await other.close();
    await insist(() => open.store.journal.append(ROW));
    expect(await open.store.journal.load()).toHaveLength(1);
  });

  it('is not taken again once the store is closed', async () => {
    await open.store.close();
    await expect(open.store.journal.append(ROW)).rejects.toThrow('the store is closed');
  });
});
