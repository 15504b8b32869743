import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { ProofQueue } from '../src/index.js';

const PROCESSES = 6;

describe('processes that open the queue of provers at once', () => {
  let test: TestDatabase;
  let observer: Database;
  let processes: Database[] = [];

  beforeEach(async () => {
    test = await createTestDatabase('rollup-operator');
    observer = await connectDatabase({ url: test.url, poolSize: 2 });
    processes = await Promise.all(
      Array.from({ length: PROCESSES }, () => connectDatabase({ url: test.url, poolSize: 2 })),
    );
  });

  afterEach(async () => {
    for (const database of [...processes, observer]) await database.close();
    await test.drop();
  });

  /** @returns the reasons of those that failed */
  async function openAll(): Promise<unknown[]> {
    const opened = await Promise.allSettled(
      processes.map((database) => ProofQueue.open(database, silentLogger)),
    );
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
    return opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  }

  async function queues(): Promise<string[]> {
    const { rows } = await observer.pool.query<{ name: string }>('SELECT name FROM prover_queue.queue');
    return rows.map(({ name }) => name);
  }

  async function waiting(): Promise<number> {
    const { rows } = await observer.pool.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]!.count;
  }

  it('all have it, in a new database', async () => {
    expect(await openAll()).toEqual([]);
    expect(await queues()).toEqual(['prove']);
  });

  it('all have it, also when they reach it in the same moment', async () => {
    await (await ProofQueue.open(observer, silentLogger)).close();
    await observer.pool.query(`SELECT prover_queue.delete_queue('prove')`);
    const blocker = await observer.pool.connect();
    await blocker.query(
      `BEGIN; INSERT INTO prover_queue.queue (name, partition_name) VALUES ('prove', 'none')`,
    );
    const failures = openAll();
    await until(async () => (await waiting()) === PROCESSES);
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await failures).toEqual([]);
    expect(await queues()).toEqual(['prove']);
  });
});
