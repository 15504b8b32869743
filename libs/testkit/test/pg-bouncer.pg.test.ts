import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  TransactionPoolingError,
  connectDatabase,
  migrateDeploy,
  openServiceDatabase,
  prismaFolder,
  type ServiceDatabase,
} from '@tetrad/db';
import { silentLogger } from '@tetrad/types';
import {
  createTestDatabase,
  findPgBouncer,
  startPgBouncer,
  type PgBouncer,
  type PgBouncerOptions,
  type TestDatabase,
} from '../src/index.js';

const program = findPgBouncer();
let database: TestDatabase;
let pooler: PgBouncer | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function behind(
  options: Omit<PgBouncerOptions, 'serverUrl'>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  pooler = await startPgBouncer(program ?? '', { serverUrl: database.url, ...options });
  try {
    await work(pooler.through(database.url));
  } finally {
    await pooler.stop();
  }
}

const open = (url: string, migrate = true): Promise<ServiceDatabase> =>
  openServiceDatabase({
    name: 'tetrad_wallet',
    dataDir: '/nowhere',
    url,
    migrate,
    poolSize: 4,
    prismaFolder: prismaFolder('wallet'),
    settings: { enable_hashjoin: 'off' },
    logger: silentLogger,
  });

(program === undefined ? describe.skip : describe)('a database behind PgBouncer', () => {
  it.each([
    ['transaction', []],
    // Server connections are used in turns, so that two clients rarely get the same.
    ['transaction', ['server_round_robin = 1', 'min_pool_size = 3']],
    ['statement', []],
  ] as const)('is refused under pool_mode=%s %p, and named with the reason', async (poolMode, settings) => {
    await migrateDeploy(database.url, prismaFolder('wallet'));
    await behind({ poolMode, settings }, async (url) => {
      const failure = await open(url, false).then(
        async (opened) => opened.close(),
        (error: unknown) => error as Error,
      );
      expect(failure).toBeInstanceOf(TransactionPoolingError);
      expect(String(failure)).toMatch(/pool_mode=transaction or statement.*use pool_mode=session/);
    });
  });

  it('is migrated and used under pool_mode=session, with settings, statements and locks of the session', async () => {
    await behind({ poolMode: 'session' }, async (url) => {
      const { database: opened, close } = await open(url);
      const client = await opened.pool.connect();
      const named = { name: 'read-setting', text: "SELECT current_setting('enable_hashjoin') AS value" };
      for (let time = 0; time < 2; time += 1)
        expect((await client.query<{ value: string }>(named)).rows).toEqual([{ value: 'off' }]);
      await client.query('SELECT pg_advisory_lock(1)');
      const lock = 'SELECT pg_try_advisory_lock(1) AS free';
      const { rows } = await opened.pool.query<{ free: boolean }>(lock);
      expect(rows).toEqual([{ free: false }]);
      client.release(true);
      await close();
      // The session was reset for the next client: its lock is gone.
      const next = await connectDatabase({ url, poolSize: 1 });
      const isFree = async (): Promise<boolean> =>
        (await next.pool.query<{ free: boolean }>(lock)).rows[0]?.free === true || isFree();
      expect(await isFree()).toBe(true);
      await next.close();
    });
  });

  it('is refused when PgBouncer has one connection only', async () => {
    await behind(
      { poolMode: 'session', settings: ['max_db_connections = 1', 'query_wait_timeout = 2'] },
      async (url) => {
        await expect(open(url)).rejects.toThrow(/query_wait_timeout/);
      },
    );
  });
});
