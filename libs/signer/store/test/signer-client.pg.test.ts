import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, withDatabaseName, type Database } from '@tetrad/db';
import { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';

const NAME = 'SELECT current_database() AS name';
const END_ALL = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';
const GENESIS = hashFromBytes(new Uint8Array(32).fill(7));

let testDatabase: TestDatabase;
let database: Database;
let store: SignerStore;
let chains = 0n;
beforeAll(async () => {
  testDatabase = await createTestDatabase('signer');
  database = await connectDatabase({ url: testDatabase.url, settings: SIGNER_DATABASE_SETTINGS });
  store = openSignerStore(database);
});
afterAll(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

/** A sequence of its own. */
const openSequence = async () =>
  (await store.sequences.open({ chainId: (chains += 1n), account: ZERO_ADDRESS })).id;

describe('a nonce sequence', () => {
  it('is the same one for replicas that open it at the same time', async () => {
    const stores = [store, openSignerStore(database), openSignerStore(database)];
    const key = { chainId: (chains += 1n), account: ZERO_ADDRESS, privacyGroup: new Uint8Array(32).fill(1) };
    const opened = await Promise.all(stores.map(({ sequences }) => sequences.open(key)));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(opened[0]).toEqual({ ...key, id: opened[0]?.id });
    const { rowCount } = await database.pool.query('SELECT FROM nonce_sequence WHERE chain_id = $1', [
      chains,
    ]);
    expect(rowCount).toBe(1);
    await Promise.all(stores.slice(1).map(({ close }) => close()));
  });

  it('has the times of the database, whatever the clock of the process says', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    const id = await openSequence();
    clock.mockRestore();
    const { rows } = await database.pool.query(
      "SELECT FROM nonce_sequence WHERE id = $1 AND least(mined_at, watched_at) > now() - interval '1 day'",
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it('records its chain once', async () => {
    const id = await openSequence();
    await store.positions.recordGenesis(id, GENESIS);
    await store.positions.recordGenesis(id, hashFromBytes(new Uint8Array(32)));
    expect((await store.positions.read(id, 0n)).genesis).toBe(GENESIS);
  });

  it('goes down below its floor, and never up, when its floor is lowered', async () => {
    const id = await openSequence();
    await database.pool.query('UPDATE nonce_sequence SET known_from = 5, mined_count = 9 WHERE id = $1', [
      id,
    ]);
    await store.positions.lowerFloor(id, 7n);
    expect(await store.positions.read(id, 0n)).toMatchObject({ floor: 5n, mined: 7n });
    await store.positions.lowerFloor(id, 2n);
    expect(await store.positions.read(id, 0n)).toMatchObject({ floor: 2n, mined: 2n });
  });

  it('keeps numbers of 256 bits', async () => {
    const id = await openSequence();
    const count = 2n ** 256n - 1n;
    await store.positions.switchChain(id, { genesis: GENESIS, count });
    expect(await store.positions.read(id, 0n)).toEqual({
      next: count,
      mined: count,
      floor: count,
      explained: 0n,
      genesis: GENESIS,
    });
  });
});

describe('replicas', () => {
  const alive = async ({ replica }: SignerStore) =>
    (await database.pool.query('SELECT FROM replica WHERE id = $1 AND alive_until > now()', [replica]))
      .rowCount === 1;

  it('live until they leave, and are forgotten later', async () => {
    const other = openSignerStore(database);
    await other.replicas.stayAlive(60_000);
    await other.replicas.stayAlive(60_000);
    expect(await alive(other)).toBe(true);
    await other.replicas.leave();
    expect(await alive(other)).toBe(false);
    await store.replicas.pruneDead();
    const find = () => database.pool.query('SELECT FROM replica WHERE id = $1', [other.replica]);
    expect((await find()).rowCount).toBe(1);
    await database.pool.query("UPDATE replica SET alive_until = now() - interval '61 minutes'");
    await store.replicas.pruneDead();
    expect((await find()).rowCount).toBe(0);
    await other.close();
  });
});

describe('decisions', () => {
  it('are found by their account in any case, and show numbers of their transaction as they are', async () => {
    const value = (2n ** 200n).toString();
    const transaction = JSON.stringify({ chainId: '9', nonce: '18446744073709551614', value, to: null });
    const text = { caller: '', method: 'eth_sendTransaction', decision: 'allowed', reason: '' };
    await store.audit.append((head) =>
      ['0xABcd', '0xabcd%', '0xab_d'].map((key, place) => ({
        ...text,
        key,
        transaction,
        sequence: head.sequence + 1 + place,
        timeMs: 1_700_000_000_000,
        previousHash: head.hash,
        hash: new Uint8Array(32).fill(place),
      })),
    );
    const { rows, before } = await store.listDecisions({ account: '0xabcd', limit: 10 });
    expect(rows).toEqual([
      {
        ...text,
        key: '0xABcd',
        sequence: 1,
        timeMs: 1_700_000_000_000,
        isPrivate: false,
        chainId: '9',
        nonce: '18446744073709551614',
        value,
        to: null,
      },
    ]);
    expect(before).toBeUndefined();
  });
});

describe('without its database, the store', () => {
  it('fails calls of the client, alone and in transactions, as unavailable', async () => {
    const id = await openSequence();
    const [{ name } = { name: '' }] = (await database.pool.query<{ name: string }>(NAME)).rows;
    const server = await connectDatabase({ url: withDatabaseName(testDatabase.url, 'postgres') });
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await server.pool.query(END_ALL, [name]);
    const calls: readonly (() => Promise<unknown>)[] = [
      openSequence,
      () => store.positions.lowerFloor(id, 0n),
      () => store.positions.switchChain(id, { genesis: GENESIS, count: 0n }),
      () => store.audit.end(),
      () => store.audit.rows().next(),
      () => store.countNonces(),
      () => store.listDecisions({ limit: 1 }),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await server.pool.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    await server.close();
    expect(await store.countNonces()).toHaveLength(5);
  });
});
