import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { BoundedLists } from '../src/bounded-lists.js';
import { openRollupStore, takeLease, type RollupStore } from '../src/index.js';
import { listOperations } from '../src/list-operations.js';
import { RollupClient } from '../src/rollup-client.js';

const LISTS = 20;
const LIST_MS = 50;
const OPERATIONS = { kind: 'redeemMoneyOrder', fromNonce: 0, limit: 2 } as const;
const ORDERS = { toAccountId: 1, fromTotalIndex: 0, upToHeight: 1, limit: 2 } as const;
const LEASE = { name: 'batcher', holder: 'this one' };
const WAITING =
  'SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1';
const TOO_LONG = { code: 'REQUEST_TIMEOUT', message: `request timed out after ${LIST_MS} ms` };

let test: TestDatabase;
let database: Database;
let other: Database;
let store: RollupStore;
let client: RollupClient;
beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url, poolSize: 4 });
  other = await connectDatabase({ url: test.url, poolSize: 2 });
  store = openRollupStore(database);
  client = new RollupClient(database);
});
afterAll(async () => {
  await store?.close();
  await client?.close();
  await other?.close();
  await database?.close();
  await test?.drop();
});

/** Does the work while the rows of lists cannot be read. */
const whileLocked = (work: () => Promise<void>) =>
  other.transaction(async (statements) => {
    await statements.query('LOCK TABLE operation, money_order IN ACCESS EXCLUSIVE MODE');
    await work();
  });

/** Backends that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await other.pool.query<{ count: number }>(WAITING, ['Lock']);
  return rows[0]!.count;
}

describe('lists', () => {
  it('leave connections to the batcher, however many are asked for and however long they take', async () => {
    let lists: Promise<unknown>[] = [];
    await whileLocked(async () => {
      lists = Array.from({ length: LISTS }, () => [
        store.listReceivedOrders(ORDERS),
        store.listOperations(OPERATIONS),
      ]).flat();
      await until(async () => (await waitingForLocks()) > 1);
      expect(await takeLease(database.pool, LEASE, 600_000)).toBe(true);
    });
    expect((await Promise.all(lists)).flat()).toEqual([]);
  });

  it('are ended by the server, and refused by name, when they take too long', async () => {
    const bounded = new BoundedLists(database, client, LIST_MS);
    await whileLocked(async () => {
      await expect(bounded.byCalls((calls) => listOperations(calls, OPERATIONS))).rejects.toMatchObject(
        TOO_LONG,
      );
      const slow = bounded.byStatements((statements) => statements.query('SELECT pg_sleep(600)'));
      await expect(slow).rejects.toMatchObject(TOO_LONG);
      expect(await waitingForLocks()).toBe(0);
    });
    expect(await bounded.byCalls((calls) => listOperations(calls, OPERATIONS))).toEqual([]);
    const { rows } = await database.pool.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    const failure = new Error('of the list');
    await expect(bounded.byStatements(() => Promise.reject(failure))).rejects.toBe(failure);
  });
});
