import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, isDatabaseUnavailable, type Database } from '@tetrad/db';
import { PostgresPair } from '../src/postgres-pair.js';
import { createTestDatabase, until } from '../src/index.js';

let pair: PostgresPair;
let database: Database;
const acknowledged: number[] = [];

beforeAll(async () => {
  // Copies of the template of a run have one system identifier.
  delete process.env['TETRAD_CLUSTER_TEMPLATE'];
  pair = await PostgresPair.start();
  await pair.run('primary', 'CREATE ROLE plain LOGIN PASSWORD $$plain$$');
  await pair.run('primary', 'CREATE TABLE kept (id int PRIMARY KEY)');
  await pair.run('primary', 'GRANT SELECT, INSERT ON kept TO plain');
  database = await connectDatabase({ url: urlOf(), poolSize: 4 });
});
afterAll(async () => {
  await database?.close();
  await pair?.stop();
});

/** As a role without any right on the server but on its table. */
const urlOf = () => pair.url('postgres').replace(/\/\/[^@]*@/, '//plain:plain@');

/** Writes rows one after the other, and again what was not acknowledged, until so many more are. */
async function write(count: number): Promise<void> {
  const wanted = acknowledged.length + count;
  while (acknowledged.length < wanted) {
    const id = acknowledged.length;
    try {
      await database.transaction((client) =>
        client.query('INSERT INTO kept VALUES ($1) ON CONFLICT DO NOTHING', [id]),
      );
      acknowledged.push(id);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await new Promise((tick) => setTimeout(tick, 20));
    }
  }
}

const rows = async () =>
  (await database.pool.query<{ id: number }>('SELECT id FROM kept ORDER BY id')).rows.map(({ id }) => id);

describe('a database of two servers', () => {
  it('refuses a commit whose wait for the standby was cancelled', async () => {
    await pair.run(pair.standby, 'SELECT pg_wal_replay_pause()');
    await pair.run('primary', "ALTER ROLE plain SET synchronous_commit = 'remote_apply'");
    const waiting = await connectDatabase({ url: urlOf(), poolSize: 1 });
    const commit = waiting.pool.query('INSERT INTO kept VALUES (-1)').then(String, (error: Error) => error);
    const cancel = "SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await until(async () => (await pair.run('primary', cancel)).length > 0);
    const outcome = await commit;
    expect(outcome).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(outcome)).toBe(true);
    expect(String(outcome)).toContain('a commit was not confirmed by the synchronous standby');
    await waiting.close();
    await pair.run(pair.standby, 'SELECT pg_wal_replay_resume()');
    await pair.run('primary', 'ALTER ROLE plain RESET synchronous_commit');
    await pair.run('primary', 'DELETE FROM kept');
  });

  it('is not one whose servers are of different clusters', async () => {
    const other = await createTestDatabase();
    const foreign = await connectDatabase({ url: other.url, poolSize: 1 });
    await foreign.pool.query('CREATE ROLE plain LOGIN PASSWORD $$plain$$');
    const several = urlOf().replace(/,[^/]*/, `,${new URL(other.url).host}`);
    const failure = await connectDatabase({ url: several }).catch(String);
    expect(failure).toContain('the servers are not of one cluster (their system identifiers differ)');
    await foreign.pool.query('DROP ROLE plain');
    await foreign.close();
    await other.drop();
  });

  it('leaves a primary that is cut off from its promoted standby, and keeps all that was acknowledged', async () => {
    await write(50);
    const writing = write(150);
    await until(() => acknowledged.length > 80);
    await pair.promote();
    // The former primary accepts connections and statements; its commits wait for the standby that it has lost.
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await until(async () => (await pair.run('primary', waiting)).length > 0);
    await database.recheckPrimary();
    await writing;
    expect(await rows()).toEqual(acknowledged);
    await pair.killPrimary();
  });

  it('does not return to the former primary when that accepts writes again', async () => {
    await pair.startFormer();
    const [former] = await pair.run('primary', 'SELECT pg_is_in_recovery() AS standby');
    expect(former).toEqual({ standby: false });
    await database.recheckPrimary();
    await write(20);
    const fresh = await connectDatabase({ url: urlOf(), poolSize: 1 });
    const { rows: places } = await fresh.pool.query('SELECT inet_server_port() AS port');
    expect(places).toEqual([{ port: pair.standby.port }]);
    await fresh.close();
    expect(await rows()).toEqual(acknowledged);
  });

  it('refuses the former primary when it is the only one that answers', async () => {
    await pair.standby.stop();
    await until(async () => {
      const failure = await database.recheckPrimary().then(
        () => undefined,
        (error: unknown) => error,
      );
      return failure instanceof DatabaseUnavailableError && failure.message.includes('is a former primary');
    });
    const failure = await database.pool.query('SELECT 1').catch(String);
    expect(failure).toMatch(/is a former primary, on timeline 1 while the cluster is on 2/);
  });
});
