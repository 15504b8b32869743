import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, withDatabaseName, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { BackupRows, openLedgerStore } from '../src/index.js';
import { NodeClient } from '../src/node-client.js';
import { ADDRESS } from './block-write.js';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase('node');
  database = await connectDatabase({ url: testDatabase.url });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const HEAD = {
  text: 'INSERT INTO private_head (id, number, hash) VALUES (1, 7, $1)',
  values: [Buffer.alloc(32)],
};

/** Changes the database by a connection to another one. */
async function alter(change: (name: string) => readonly string[]): Promise<void> {
  const name = new URL(testDatabase.url).pathname.slice(1);
  const server = await connectDatabase({ url: withDatabaseName(testDatabase.url, 'postgres') });
  for (const statement of change(name)) await server.pool.query(statement);
  await server.close();
}

describe('calls of the client on a connection', () => {
  it('are a part of the transaction that statements began there', async () => {
    const undone = database.transaction(async (statements) => {
      await statements.query(HEAD);
      expect(await new BackupRows(statements).findPrivateHead()).toBe(7);
      expect(await new BackupRows(database.pool).findPrivateHead()).toBeUndefined();
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await new BackupRows(database.pool).findPrivateHead()).toBeUndefined();
  });

  it('fail as unavailable once the connection is lost', async () => {
    const attempt = database.transaction(async (statements) => {
      const rows = new BackupRows(statements);
      expect(await rows.findChain()).toBeUndefined();
      const { rows: own } = await statements.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.pool.query('SELECT pg_terminate_backend($1, 10000)', [own[0]?.pid]);
      await rows.findChain();
    });
    await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});

describe('the client', () => {
  it('finds its tables where statements find them', async () => {
    await alter((name) => [`ALTER DATABASE "${name}" SET search_path = own, public`]);
    await database.pool.query('CREATE SCHEMA own; ALTER TABLE validator_candidate SET SCHEMA own');
    await database.close();
    database = await connectDatabase({ url: testDatabase.url });
    const store = await openLedgerStore(database);
    await store.validators.putCandidate(ADDRESS, false);
    expect(await store.validators.listCandidates()).toEqual(new Map([[ADDRESS, false]]));
    await store.validators.putCandidate(ADDRESS, true);
    expect(await store.validators.listCandidates()).toEqual(new Map([[ADDRESS, true]]));
    await store.validators.removeCandidate(ADDRESS);
    expect(await store.validators.listCandidates()).toEqual(new Map());
    await store.close();
  });

  it('that could not begin while the database was away works once it is back', async () => {
    const client = new NodeClient(database);
    await alter((name) => [
      `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    ]);
    const count = async () => (await client.calls()).block.count();
    const moved = () => client.transaction((calls) => calls.block.count());
    for (const attempt of [count, moved])
      await expect(attempt()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await alter((name) => [`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`]);
    expect([await count(), await moved()]).toEqual([0, 0]);
    await client.close();
  });
});
