import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, withDatabaseName, type Database } from '@tetrad/db';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { openWalletClient, type WalletClient } from '../src/wallet-client.js';

const KEY = {
  address: Buffer.from([1, 2, 3]),
  kind: 1,
  generation: 1,
  cipher: 'aes-256-gcm',
  nonce: Buffer.alloc(12),
  sealed: Buffer.alloc(48),
};

const NAME = 'SELECT current_database() AS name';
const END_ALL = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';

let testDatabase: TestDatabase;
let database: Database;
let rows: WalletClient;
beforeAll(async () => {
  testDatabase = await createTestDatabase('wallet');
  database = await connectDatabase({ url: testDatabase.url, poolSize: 3 });
  rows = openWalletClient(database);
});
afterAll(async () => {
  await rows.close();
  await database.close();
  await testDatabase.drop();
});
beforeEach(() => database.pool.query('DELETE FROM wallet_key'));

const count = () => rows.client.walletKey.count();
const backendOf = async (query: Database['pool']['query']) =>
  ((await query('SELECT pg_backend_pid() AS pid')) as { rows: { pid: number }[] }).rows[0]?.pid;

describe('a transaction of client and statements', () => {
  it('stores what both write', async () => {
    await rows.transaction(async (calls, statements) => {
      await calls.walletKey.create({ data: KEY });
      await statements.query("UPDATE wallet_key SET label = 'by a statement'");
      expect(await calls.walletKey.findMany()).toMatchObject([{ label: 'by a statement' }]);
    });
    expect(await rows.client.walletKey.findMany()).toMatchObject([{ kind: 1, label: 'by a statement' }]);
  });

  it('stores nothing when the work fails, and keeps its error', async () => {
    const failure = new Error('after both');
    const attempt = rows.transaction(async (calls, statements) => {
      await calls.walletKey.create({ data: KEY });
      await statements.query("UPDATE wallet_key SET label = 'x'");
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await count()).toBe(0);
  });

  it('has a connection of its own, beside others at the same time', async () => {
    let read = 0;
    const pids = await Promise.all(
      [1, 2, 3].map((second) =>
        rows.transaction(async (calls, statements) => {
          const pid = await backendOf(statements.query.bind(statements) as Database['pool']['query']);
          await calls.walletKey.create({ data: { ...KEY, address: Buffer.from([1, second]) } });
          // None has committed until each has read its own row alone.
          expect((await statements.query('SELECT FROM wallet_key')).rowCount).toBe(1);
          read += 1;
          await until(() => read === 3);
          return pid;
        }),
      ),
    );
    expect(new Set(pids).size).toBe(3);
    expect(await count()).toBe(3);
  });

  it('gives every connection back', async () => {
    for (let turn = 0; turn < 10; turn++) {
      await rows.transaction((calls) => calls.walletKey.count());
      await expect(rows.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    }
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });
});

describe('a time', () => {
  it('is the same for client and statements, whatever the time zone of the database', async () => {
    const [{ name } = { name: '' }] = (await database.pool.query<{ name: string }>(NAME)).rows;
    await database.pool.query(`ALTER DATABASE "${name}" SET TimeZone = 'Asia/Kathmandu'`);
    const elsewhere = await connectDatabase({ url: testDatabase.url });
    const own = openWalletClient(elsewhere);
    const createdAt = new Date('2026-03-01T23:30:00.123Z');
    await own.client.walletKey.create({ data: { ...KEY, createdAt } });
    const { rows: read } = await elsewhere.pool.query('SELECT created_at FROM wallet_key');
    expect(read).toEqual([{ created_at: createdAt }]);
    expect(await own.client.walletKey.findMany({ select: { createdAt: true } })).toEqual([{ createdAt }]);
    await own.close();
    await elsewhere.close();
  });
});

describe('a connection that is lost', () => {
  it('in a transaction fails as unavailable and stores nothing; the next one works', async () => {
    const attempt = rows.transaction(async (calls, statements) => {
      await calls.walletKey.create({ data: KEY });
      const pid = await backendOf(statements.query.bind(statements) as Database['pool']['query']);
      await database.pool.query('SELECT pg_terminate_backend($1, 10000)', [pid]);
      await calls.walletKey.count();
    });
    await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await count()).toBe(0);
    await rows.transaction((calls) => calls.walletKey.create({ data: KEY }));
    expect(await count()).toBe(1);
  });

  it('fails a call of the client as unavailable, with the reason', async () => {
    const [{ name } = { name: '' }] = (await database.pool.query<{ name: string }>(NAME)).rows;
    const server = await connectDatabase({ url: withDatabaseName(testDatabase.url, 'postgres') });
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await server.pool.query(END_ALL, [name]);
    const reason = `database unavailable: database "${name}" is not currently accepting connections`;
    for (const read of [count, () => rows.transaction((calls) => calls.walletKey.count())]) {
      const attempt = read();
      await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailableError);
      await expect(attempt).rejects.toHaveProperty('message', reason);
    }
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    await server.close();
    expect(await count()).toBe(0);
  });
});

describe('other errors', () => {
  it('stay those of the client, and name no line of a source', async () => {
    await rows.client.walletKey.create({ data: KEY });
    const again = rows.client.walletKey.create({ data: KEY });
    await expect(again).rejects.toMatchObject({ code: 'P2002' });
    await expect(again).rejects.toHaveProperty('message', expect.not.stringContaining('wallet-client'));
  });
});
