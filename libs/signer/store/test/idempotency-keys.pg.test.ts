import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import {
  SIGNER_DATABASE_SETTINGS,
  openSignerStore,
  type ClaimResult,
  type SignerStore,
} from '@tetrad/signer-store';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';

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

/** A nonce of a replica, and bytes for it, under a claim that the replica makes for them. */
async function reserved(claim?: ReturnType<typeof newClaim>, of = store) {
  const claimed = claim === undefined ? undefined : await of.idempotency.claim(claim);
  const { id: sequenceId } = await of.sequences.open({ chainId: (chains += 1n), account: ZERO_ADDRESS });
  const [nonce = 0n] = await of.nonces.reserve({ sequenceId, wanted: 1 });
  const hash = hashFromBytes(randomBytes(32));
  const version = claimed !== undefined && 'version' in claimed ? claimed.version : '';
  const held = claim === undefined ? undefined : { digest: claim.digest, version };
  const signed = { sequenceId, nonce, raw: Uint8Array.of(1), hash, claim: held };
  return { signed, sequenceId, nonce, hash };
}

/** The work waits for a lock, or has ended without one. */
async function untilWaiting(work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const ended = () => (hasEnded = true);
  void work.then(ended, ended);
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => hasEnded || (await database.pool.query(waiting)).rowCount === 1);
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
  const { signed, sequenceId, nonce, hash } = await reserved(claim);
  expect(await store.nonces.storeSigned(signed)).toBe('stored');
  await database.pool.query('DELETE FROM idempotency_key WHERE digest = $1', [claim.digest]);
  expect(await statusOf(claim)).toBe('in-flight');
  await store.nonces.move({ kind: { from: ['signed'], to: 'free' }, sequenceId, nonce, hash });
  await store.idempotency.release(claim);
  expect(await statusOf(claim)).toBe('claimed');
});

describe('a claim of a replica that is taken for dead', () => {
  let other: SignerStore;
  beforeEach(async () => {
    other = openSignerStore(database);
    await store.replicas.leave();
  });
  afterEach(() => other.close());

  it('has no bytes stored after it was taken over, and keeps those of others from nothing', async () => {
    const claim = newClaim();
    const { signed } = await reserved(claim);
    const kept = await Promise.all([newClaim(), newClaim()].map((one) => reserved(one)));
    const { signed: plain } = await reserved();
    expect((await other.idempotency.claim(claim)).status).toBe('taken-over');
    const all = [signed, ...kept.map((one) => one.signed), plain];
    const outcomes = await Promise.all(all.map((one) => store.nonces.storeSigned(one)));
    expect(outcomes).toEqual(['claim-lost', 'stored', 'stored', 'stored']);
  });

  it('has no bytes stored that come while it is taken over', async () => {
    const claim = newClaim();
    const { signed } = await reserved(claim);
    let storing: Promise<unknown> | undefined;
    await database.transaction(async (client) => {
      await client.query('UPDATE idempotency_key SET owner = $2 WHERE digest = $1', [
        claim.digest,
        other.replica,
      ]);
      storing = store.nonces.storeSigned(signed);
      await untilWaiting(storing);
    });
    expect(await storing).toBe('claim-lost');
  });

  it('that was taken over while its bytes were being stored has the other store none', async () => {
    const claim = newClaim();
    const first = await reserved(claim);
    const { signed: second } = await reserved(undefined, other);
    let taking: Promise<ClaimResult> | undefined;
    await database.transaction(async (client) => {
      // As `storeSigned` does, in a transaction that does not end before the other claims.
      await client.query('SELECT FROM idempotency_key WHERE digest = $1 FOR SHARE', [claim.digest]);
      await client.query(
        "UPDATE nonce_entry SET state = 'signed', raw = hash, idempotency = $3 WHERE lane_id = $1 AND nonce = $2",
        [first.sequenceId, first.nonce.toString(), claim.digest],
      );
      taking = other.idempotency.claim(claim);
      await untilWaiting(taking);
    });
    const taken = await taking;
    expect(taken).toMatchObject({ status: 'taken-over' });
    const version = taken !== undefined && 'version' in taken ? taken.version : '';
    const outcome = await other.nonces.storeSigned({ ...second, claim: { digest: claim.digest, version } });
    expect(outcome).toBe('claim-lost');
    await other.idempotency.release(claim);
    expect((await other.idempotency.claim(claim)).status).toBe('in-flight');
  });

  it('has no bytes stored once it has an answer, or was given up', async () => {
    const [answered, givenUp] = [newClaim(), newClaim()];
    const { signed, sequenceId } = await reserved(answered);
    const { signed: late } = await reserved(givenUp);
    const kind = { from: ['signed'] as const, to: 'accepted' as const };
    const answer = { idempotency: answered.digest, json: '{}' };
    await store.nonces.move({ kind, sequenceId, nonce: 99n, answer });
    await store.idempotency.release(givenUp);
    expect(await Promise.all([signed, late].map((one) => store.nonces.storeSigned(one)))).toEqual([
      'claim-lost',
      'claim-lost',
    ]);
  });
});
