import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock } from '@tetrad/types';
import {
  CommitGroup,
  connectDatabase,
  isDatabaseUnavailable,
  openServiceDatabase,
  prismaFolder,
  type Database,
} from '../src/index.js';
import { ForgetfulRelay } from './forgetful-relay.js';
import { newDatabase, stopServer } from './own-server.js';

let nowMs = 0;
/** What is to be done, with its time. */
const tasks = new Map<() => void, number>();
const clock: Clock = {
  now: () => nowMs,
  schedule(delayMs, task) {
    const scheduled = () => task();
    tasks.set(scheduled, nowMs + delayMs);
    return () => void tasks.delete(scheduled);
  },
};

/** Lets time pass on that clock, and does what is due then. */
function pass(ms: number): void {
  nowMs += ms;
  for (const [task, dueMs] of [...tasks]) if (dueMs <= nowMs && tasks.delete(task)) task();
}

let url: string;
let relay: ForgetfulRelay;
beforeEach(async () => {
  tasks.clear();
  url = await newDatabase();
  relay = await ForgetfulRelay.open(url);
});
afterEach(() => relay.close());
afterAll(stopServer);

const pause = () => new Promise((tick) => setTimeout(tick, 50));

/** The outcome, while time passes in steps of `step` until there is one. */
async function settled<T>(work: Promise<T>, step: () => Promise<void> | void): Promise<T | Error> {
  let outcome: T | Error | undefined;
  void work.then(
    (value) => (outcome = value),
    (error: Error) => (outcome = error),
  );
  while (outcome === undefined) {
    await step();
    await pause();
  }
  return outcome;
}

async function withRelayed(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await connectDatabase({ url: relay.through(url), poolSize: 4, clock });
  try {
    await database.pool.query('CREATE TABLE kept (id int PRIMARY KEY, value int)');
    await work(database);
  } finally {
    await database.close();
  }
}

const recheck = (database: Database) => () => {
  nowMs += 5_000;
  return database.recheckConnections();
};

describe('a connection whose packets vanish', () => {
  it('is ended, so that a group of writes fails as by any loss, and the next succeeds', async () => {
    await withRelayed(async (database) => {
      const writes = new CommitGroup<number, number>(async (ids) => {
        for (const id of ids) await database.pool.query('INSERT INTO kept VALUES ($1)', [id]);
        return ids;
      });
      expect(await writes.add(1)).toBe(1);
      relay.forget();
      const lost = writes.add(2);
      await pause();
      const waiting = writes.add(3);
      const outcome = await settled(lost, recheck(database));
      expect(isDatabaseUnavailable(outcome)).toBe(true);
      expect(await waiting).toBe(3);
    });
  });

  it('leaves no lock behind', async () => {
    await withRelayed(async (database) => {
      await database.pool.query('INSERT INTO kept VALUES (1, 0)');
      const raise = 'UPDATE kept SET value = value + 1 WHERE id = 1';
      const cut = database.transaction(async (client) => {
        await client.query(raise);
        relay.forget();
        await client.query(raise);
      });
      expect(isDatabaseUnavailable(await settled(cut, recheck(database)))).toBe(true);
      await database.pool.query(raise);
      expect((await database.pool.query('SELECT value FROM kept')).rows).toEqual([{ value: 1 }]);
    });
  });

  it('is not one on which a statement takes long, or a transaction is open', async () => {
    await withRelayed(async (database) => {
      const outcome = await database.transaction(async (client) => {
        await client.query('INSERT INTO kept VALUES (1)');
        return settled(database.pool.query('SELECT pg_sleep(8), 7 AS answer'), recheck(database));
      });
      expect(outcome).toMatchObject({ rows: [{ answer: 7 }] });
      expect((await database.pool.query('SELECT id FROM kept')).rows).toEqual([{ id: 1 }]);
    });
  });
});

describe('the database of a service', () => {
  it('is watched for connections whose packets vanish, also when they are all that it may have', async () => {
    const { database, close } = await openServiceDatabase({
      name: 'wallet',
      dataDir: '',
      url: relay.through(url),
      migrate: true,
      poolSize: 1,
      prismaFolder: prismaFolder('wallet'),
      logger: silentLogger,
      clock,
    });
    try {
      await database.pool.query('SELECT 1');
      relay.forget();
      const outcome = await settled(database.pool.query('SELECT 2'), () => pass(500));
      expect(isDatabaseUnavailable(outcome)).toBe(true);
      expect((await database.pool.query('SELECT 3 AS answer')).rows).toEqual([{ answer: 3 }]);
    } finally {
      await close();
    }
  });
});
