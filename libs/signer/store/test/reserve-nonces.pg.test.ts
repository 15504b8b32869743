import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { SIGNER_DATABASE_SETTINGS, openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS } from '@tetrad/types';

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

/** Resolves when somebody waits for a lock that somebody else has. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await database.pool.query(waiting)).rowCount === 0)
    await new Promise((tick) => setTimeout(tick, 10));
}

it('does not hand out a free nonce that a caller names at the same instant', async () => {
  const { id: laneId } = await store.lanes.open({ chainId: 1n, account: ZERO_ADDRESS });
  await store.nonces.reserve({ laneId, wanted: 2 });
  await database.pool.query("UPDATE nonce_entry SET state = 'free'");
  let reserved: Promise<bigint[]> | undefined;
  await database.transaction(async (client) => {
    // As `storeGiven` does, whose transaction is not over yet.
    await client.query(
      "UPDATE nonce_entry SET state = 'signed', given = true, raw = '\\x01' WHERE nonce = 0",
    );
    reserved = store.nonces.reserve({ laneId, wanted: 2 });
    await untilSomebodyWaits();
  });
  expect(await reserved).toEqual([1n, 2n]);
  const { rows } = await database.pool.query('SELECT nonce, state FROM nonce_entry ORDER BY nonce');
  expect(rows).toEqual([
    { nonce: '0', state: 'signed' },
    { nonce: '1', state: 'reserved' },
    { nonce: '2', state: 'reserved' },
  ]);
});
