import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { openSignerStore, type SignerStore } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import { PolicyGate, parsePolicy } from '../src/index.js';

let testDatabase: TestDatabase;
let databases: Database[];
let stores: SignerStore[];

beforeAll(async () => {
  testDatabase = await createTestDatabase('signer');
  databases = await Promise.all([0, 1].map(() => connectDatabase({ url: testDatabase.url, poolSize: 2 })));
  stores = databases.map((database) => openSignerStore(database));
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await testDatabase.drop();
});

const KEY = parseAddress(`0x${'11'.repeat(20)}`);
const policy = parsePolicy('[[rule]]\nname = "limited"\ncallers = ["alice", "bob"]\nrate-per-minute = 10');

describe('the gate of a policy', () => {
  it('counts the requests of a caller and key for all replicas together', async () => {
    const gates = stores.map((store) => new PolicyGate(policy, store.rates));
    const ask = (caller: string, index: number) =>
      (gates[index % 2] as PolicyGate)
        .admit({ caller, key: KEY, method: 'eth_sign' })
        .catch((error: { code: string; data: object }) => ({ reason: error.code, data: error.data }));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask('alice', index)));
    const admitted = answers.filter((answer) => answer === 'limited');
    // A minute may end in between.
    expect(admitted.length).toBeGreaterThanOrEqual(10);
    expect(admitted.length).toBeLessThanOrEqual(20);
    expect(answers.filter((answer) => answer !== 'limited')[0]).toEqual({
      reason: 'POLICY_RATE_EXCEEDED',
      data: { rule: 'limited', limit: 'rate-per-minute' },
    });
    expect(await ask('bob', 0)).toBe('limited');
  });

  it('refuses with the name of the rule', async () => {
    const gate = new PolicyGate(policy, (stores[0] as SignerStore).rates);
    await expect(gate.admit({ caller: 'mallory', key: KEY, method: 'eth_sign' })).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      message: 'refused by policy rule none: caller-or-key',
      data: { rule: 'none', limit: 'caller-or-key' },
    });
  });
});
