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
  await database.close();
  await testDatabase.drop();
});

/** Resolves when a connection waits for a lock that another one holds. */
async function untilBlocked(): Promise<void> {
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await database.pool.query(waiting)).rowCount === 0)
    await new Promise((tick) => setTimeout(tick, 10));
}

it('does not assign a free nonce that a caller names at the same instant', async () => {
  const { id: sequenceId } = await store.sequences.open({ chainId: 1n, account: ZERO_ADDRESS });
  await store.nonces.reserve({ sequenceId, wanted: 2 });
  await database.pool.query("UPDATE nonce_entry SET state = 'free'");
  let reserved: Promise<bigint[]> | undefined;
  await database.transaction(async (client) => {
    // As `storeGiven` does in a transaction that is still open.
    await client.query(
      "UPDATE nonce_entry SET state = 'signed', given = true, raw = '\\x01' WHERE nonce = 0",
    );
    reserved = store.nonces.reserve({ sequenceId, wanted: 2 });
    await untilBlocked();
  });
  expect(await reserved).toEqual([1n, 2n]);
  const { rows } = await database.pool.query('SELECT nonce, state FROM nonce_entry ORDER BY nonce');
  expect(rows).toEqual([
    { nonce: '0', state: 'signed' },
    { nonce: '1', state: 'reserved' },
    { nonce: '2', state: 'reserved' },
  ]);
});

it('waits with a nonce that another transaction has while its sequence is being assigned from', async () => {
  const { id: sequenceId } = await store.sequences.open({ chainId: 2n, account: ZERO_ADDRESS });
  const [nonce = 0n] = await store.nonces.reserve({ sequenceId, wanted: 1 });
  const hash = hashFromBytes(new Uint8Array(32).fill(1));
  await store.nonces.storeSigned({ sequenceId, nonce, raw: Uint8Array.of(1), hash });
  let gone: Promise<boolean> | undefined;
  await database.transaction(async (client) => {
    // As a reservation that has put settled nonces back, and has not yet looked for nonces without a row.
    await client.query('SELECT FROM nonce_sequence WHERE id = $1 FOR UPDATE', [sequenceId]);
    gone = store.nonces.move({ kind: { from: ['signed'], to: 'gone' }, sequenceId, nonce, hash });
    await Promise.race([gone, untilBlocked()]);
    const { rowCount } = await client.query('SELECT FROM nonce_entry WHERE lane_id = $1', [sequenceId]);
    expect(rowCount).toBe(1);
  });
  expect(await gone).toBe(true);
  // The count is that of before, which the client gave while it had not yet refused the nonce.
  expect(await store.nonces.reserve({ sequenceId, wanted: 1, clientCount: nonce })).not.toContain(nonce);
});

it('gives requests for one sequence that are made together different nonces', async () => {
  const { id: sequenceId } = await store.sequences.open({ chainId: 3n, account: ZERO_ADDRESS });
  const { id: other } = await store.sequences.open({ chainId: 4n, account: ZERO_ADDRESS });
  const request = { sequenceId, wanted: 2 };
  const reserved = await Promise.all(
    [request, { sequenceId: other, wanted: 1 }, request, { sequenceId, wanted: 1, clientCount: 1n }].map(
      (one) => store.nonces.reserve(one),
    ),
  );
  expect(reserved).toEqual([[1n, 2n], [0n], [3n, 4n], [5n]]);
});

it('stores bytes of a nonce once, and says so to those alone whose they are', async () => {
  const { id: sequenceId } = await store.sequences.open({ chainId: 5n, account: ZERO_ADDRESS });
  const [nonce = 0n] = await store.nonces.reserve({ sequenceId, wanted: 1 });
  const signed = [1, 2, 1].map((byte) => ({
    sequenceId,
    nonce,
    raw: Uint8Array.of(byte),
    hash: hashFromBytes(new Uint8Array(32).fill(byte)),
  }));
  expect(await Promise.all(signed.map((one) => store.nonces.storeSigned(one)))).toEqual([
    'stored',
    'reservation-lost',
    'reservation-lost',
  ]);
  expect((await store.nonces.find({ sequenceId, nonce }))?.hash).toBe(signed[0]?.hash);
});
