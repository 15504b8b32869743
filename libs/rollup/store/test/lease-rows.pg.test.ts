import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { holdLease, isLeased, openRollupStore, takeLease, type RollupStore } from '../src/index.js';

const LONG_MS = 600_000;
const [one, other] = ['one', 'other'].map((holder) => ({ name: 'work', holder })) as [Claim, Claim];

interface Claim {
  readonly name: string;
  readonly holder: string;
}

describe('a lease', () => {
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;

  beforeAll(async () => {
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url });
    store = openRollupStore(database);
  });

  afterAll(async () => {
    await store?.close();
    await database?.close();
    await test?.drop();
  });

  const take = (claim: Claim, durationMs = LONG_MS) => takeLease(database.pool, claim, durationMs);

  it('is with one holder, who can prolong it, until it is released or has run out', async () => {
    expect([await take(one), await take(other), await take(one)]).toEqual([true, false, true]);
    await store.releaseLease(other);
    expect([await take(other), await isLeased(database.pool, 'work')]).toEqual([false, true]);
    await store.releaseLease(one);
    expect([await isLeased(database.pool, 'work'), await take(other, -1)]).toEqual([false, true]);
    expect([await isLeased(database.pool, 'work'), await take(one)]).toEqual([false, true]);
  });

  it('is given to one of many that take it at the same time', async () => {
    const claims = Array.from({ length: 20 }, (_, index) => ({ name: 'race', holder: String(index) }));
    const taken = await Promise.all(claims.map((claim) => take(claim)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('cannot be taken while its holder does something, also when it has run out', async () => {
    expect(await take(one, -1)).toBe(true);
    let waiting: Promise<boolean> | undefined;
    await database.transaction(async (client) => {
      expect([await holdLease(client, one), await holdLease(client, other)]).toEqual([true, false]);
      const blocked = await connectDatabase({ url: test.url, settings: { lock_timeout: '100' } });
      await expect(takeLease(blocked.pool, other, LONG_MS)).rejects.toThrow('lock timeout');
      await blocked.close();
      waiting = take(other);
    });
    expect(await waiting).toBe(true);
    await database.transaction(async (client) => expect(await holdLease(client, one)).toBe(false));
  });

  it('does not count as a batch', async () => {
    const none = ['open', 'sealed', 'proving', 'proven', 'submitted'].map((state) => [state, 0]);
    expect([...(await store.countBatches())]).toEqual(none);
  });
});
