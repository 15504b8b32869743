import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';

let testDatabase: TestDatabase;
let database: Database;
let store: SignerStore;
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

const newClaim = () => ({ digest: randomBytes(32), request: randomBytes(32) });
const statusOf = async (claim: ReturnType<typeof newClaim>) => (await store.idempotency.claim(claim)).status;
const keyCount = async (digest: Buffer) =>
  (await database.pool.query('SELECT FROM idempotency_key WHERE digest = $1', [digest])).rowCount;

/** Breaks the connection of the next release, whose statement the server gets all the same; returns what it then does. */
function loseRelease(): () => Promise<unknown> {
  const { pool } = database;
  const query = pool.query.bind(pool) as (...statement: readonly unknown[]) => Promise<unknown>;
  let late = () => Promise.resolve<unknown>(undefined);
  const losing = (...statement: readonly [{ readonly name?: string }]) => {
    if (statement[0].name !== 'release-idempotency-key') return query(...statement);
    late = () => query(...statement);
    Object.assign(pool, { query });
    return Promise.reject(new Error('Connection terminated'));
  };
  Object.assign(pool, { query: losing });
  return () => late();
}

it('of a request that came to nothing is free when the request has ended', async () => {
  const claim = newClaim();
  expect(await statusOf(claim)).toBe('claimed');
  expect(await statusOf(claim)).toBe('in-flight');
  await store.idempotency.release(claim);
  expect(await keyCount(claim.digest)).toBe(0);
  expect(await statusOf(claim)).toBe('claimed');
});

it('is not taken from a later claim by a release that arrives late', async () => {
  const claim = newClaim();
  expect(await statusOf(claim)).toBe('claimed');
  const late = loseRelease();
  await expect(store.idempotency.release(claim)).rejects.toThrow('Connection terminated');
  expect(await statusOf(claim)).toBe('taken-over');
  await late();
  expect(await keyCount(claim.digest)).toBe(1);
  await store.idempotency.release(claim);
  expect(await keyCount(claim.digest)).toBe(0);
});

it('cannot be claimed while bytes have it, whatever has become of its row', async () => {
  const claim = newClaim();
  const { id: sequenceId } = await store.sequences.open({ chainId: 1n, account: ZERO_ADDRESS });
  const [nonce = 0n] = await store.nonces.reserve({ sequenceId, wanted: 1 });
  const hash = hashFromBytes(new Uint8Array(32).fill(1));
  const signed = { sequenceId, nonce, raw: Uint8Array.of(1), hash, idempotency: claim.digest };
  await store.nonces.storeSigned(signed);
  expect(await statusOf(claim)).toBe('in-flight');
  await store.nonces.move({ kind: { from: ['signed'], to: 'free' }, sequenceId, nonce, hash });
  expect(await statusOf(claim)).toBe('claimed');
});
