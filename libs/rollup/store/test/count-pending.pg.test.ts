import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { countPending } from '../src/hot/count-pending.js';

/** Three operations of each of four accounts, which wait for nonces before them. */
const WAITING = `
  INSERT INTO operation (hash, kind, account_id, nonce, status, waiting, signature)
  SELECT decode(lpad(to_hex(10 * account + nonce), 64, '0'), 'hex'), 4, account, nonce, 'PENDING', true, ''
    FROM generate_series(1, 4) AS account, generate_series(2, 4) AS nonce`;

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url, poolSize: 2 });
  await database.pool.query(WAITING);
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
});

it('counts what waits, up to its bound', async () => {
  expect(await countPending(database.pool)).toEqual({ pending: 12, accounts: 4, oldestSeconds: 0 });
  expect(await countPending(database.pool, 5)).toMatchObject({ pending: 5 });
  expect((await countPending(database.pool, 5)).accounts).toBeLessThan(4);
});
