import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTemporaryPostgres } from '@tetrad/embedded-postgres';
import fc from 'fast-check';
import {
  DatabaseUnavailableError,
  byteaArray,
  connectDatabase,
  createDatabase,
  dropDatabase,
  isDatabaseUnavailable,
  type Database,
} from '../src/index.js';
import { newDatabase, stopServer } from './own-server.js';

let url: string;
let database: Database;

beforeAll(async () => {
  url = await newDatabase();
  database = await connectDatabase({ url, poolSize: 3 });
  await database.pool.query('CREATE TABLE entry (id BIGINT PRIMARY KEY, data BYTEA)');
});

afterAll(async () => {
  await database.close();
  await stopServer();
});

const ids = async () =>
  (await database.pool.query<{ id: number }>('SELECT id FROM entry')).rows.map(({ id }) => id);

describe('an array of bytes', () => {
  it('arrives as it is, empty, with empty values and with nulls', async () => {
    const values = fc.array(fc.option(fc.uint8Array({ maxLength: 40 })), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(values, async (sent) => {
        const { rows } = await database.pool.query<{ value: Buffer | null }>(
          'SELECT value FROM unnest($1::bytea[]) WITH ORDINALITY AS sent (value, place) ORDER BY place',
          [byteaArray(sent)],
        );
        expect(rows.map(({ value }) => value?.toString('hex'))).toEqual(
          sent.map((value) => (value === null ? undefined : Buffer.from(value).toString('hex'))),
        );
      }),
    );
  });
});

describe('a transaction', () => {
  it('stores all of it, and gives bytes back as they were', async () => {
    const bytes = Buffer.from([0, 255, 92, 39]);
    const result = await database.transaction(async (client) => {
      await client.query('INSERT INTO entry VALUES ($1, $2)', [1, bytes]);
      return 'done';
    });
    expect(result).toBe('done');
    const { rows } = await database.pool.query<{ data: Buffer }>('SELECT data FROM entry WHERE id = 1');
    expect(rows[0]?.data.equals(bytes)).toBe(true);
  });

  it('stores nothing when the work fails, and fails as the work does', async () => {
    const rejection = new RangeError('no');
    await expect(
      database.transaction(async (client) => {
        await client.query('INSERT INTO entry VALUES (2)');
        throw rejection;
      }),
    ).rejects.toBe(rejection);
    expect(await ids()).toEqual([1]);
  });

  it('that breaks a rule of the database fails with its code and not as unavailable', async () => {
    const failure = await database
      .transaction((client) => client.query('INSERT INTO entry VALUES (1)'))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '23505' });
    expect(isDatabaseUnavailable(failure)).toBe(false);
  });

  it('that loses its connection is unavailable, stores nothing, and the next one works', async () => {
    const failure = await database
      .transaction(async (client) => {
        await client.query('INSERT INTO entry VALUES (3)');
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        // The connection breaks while the transaction does other work.
        await database.pool.query('SELECT pg_terminate_backend($1, 60000)', [rows[0]?.pid]);
        await client.query('INSERT INTO entry VALUES (4)');
      })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await ids()).toEqual([1]);
    await expect(database.transaction((client) => client.query('SELECT 1'))).resolves.toBeDefined();
  });
});

describe('a server that becomes unavailable', () => {
  it('is distinguished from an error, and is used again when it is back', async () => {
    const server = await startTemporaryPostgres();
    const client = await connectDatabase({ url: server.url('postgres') });
    await server.stop();
    const failure = await client
      .transaction((held) => held.query('SELECT 1'))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    await client.close();
  });
});

describe('connecting', () => {
  it('names the address that does not answer, without the password', async () => {
    const failure = await connectDatabase({ url: 'postgresql://user:hunter2@127.0.0.1:1/x' }).catch(String);
    expect(failure).toMatch(/^DatabaseUnavailableError: database at 127\.0\.0\.1:1\/x: connect ECONNREFUSED/);
    expect(failure).not.toContain('hunter2');
  });

  it('to a missing database names the problem', async () => {
    const nowhere = new URL(url);
    nowhere.pathname = '/nowhere';
    await expect(connectDatabase({ url: nowhere.href })).rejects.toThrow(/database "nowhere" does not exist/);
  });
});

describe('settings of the connections', () => {
  const settings = { enable_seqscan: 'off', application_name: 'two words, and "more"' };

  /** Settings of three connections that are held at the same time, and since when: `session` is after connecting. */
  async function settingsOfThree({ pool }: Database): Promise<object[][]> {
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    try {
      const text = 'SELECT name, setting, source FROM pg_settings WHERE name = ANY($1) ORDER BY name DESC';
      const query = { text, values: [Object.keys(settings)] };
      return await Promise.all(clients.map(async (client) => (await client.query<object>(query)).rows));
    } finally {
      for (const client of clients) client.release();
    }
  }

  it('are made on each after it is there, on those that take the place of lost ones too', async () => {
    const withSettings = await connectDatabase({ url, poolSize: 3, settings });
    const expected = Object.entries(settings).map(([name, setting]) => ({
      name,
      setting,
      source: 'session',
    }));
    expect(await settingsOfThree(withSettings)).toEqual([expected, expected, expected]);
    await database.pool.query(
      'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1',
      [settings.application_name],
    );
    const again = async (): Promise<object[][]> => settingsOfThree(withSettings).catch(again);
    expect(await again()).toEqual([expected, expected, expected]);
    await withSettings.close();
  });

  it('that the server does not know fail the connecting', async () => {
    const connecting = connectDatabase({ url, settings: { no_such_setting: 'on' } });
    await expect(connecting).rejects.toThrow('unrecognized configuration parameter "no_such_setting"');
  });
});

describe('databases of a server', () => {
  it('are made once, whatever their name, and dropped', async () => {
    const name = `odd "name" ${Date.now()}`;
    const odd = await createDatabase(url, name);
    expect(await createDatabase(url, name)).toBe(odd);
    const other = await connectDatabase({ url: odd });
    await other.close();
    await dropDatabase(url, name);
    await dropDatabase(url, name);
    await expect(connectDatabase({ url: odd })).rejects.toThrow('does not exist');
  });
});
