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
