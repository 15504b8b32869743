import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAddress } from '@tetrad/types';
import { ContractState } from '../src/contracts/contract-state.js';
import { readRecords } from '../src/contracts/read-records.js';
import { DEFAULT_RECORD_CAPACITY } from '../src/records/permission-records.js';
import { ContractChain, contentOf } from './contract-chain.js';
import { prelude, step } from './random-operations.js';

const UNUSED = parseAddress(`0x${'99'.repeat(20)}`);

it.each(['v1', 'v2'] as const)(
  'records from events are those of the contracts, also in part (%s)',
  async (model) => {
    const start = await ContractChain.boot(model);
    expect(contentOf(start.followed)).toEqual(contentOf(await start.read()));
    for (const { from, operation } of prelude(model)) expect(await start.operate(from, operation)).toBe(true);
    expect(contentOf(start.followed)).toEqual(contentOf(await start.read()));
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const chain = await start.copy();
        for (const { from, operation } of steps) taken += (await chain.operate(from, operation)) ? 1 : 0;
        expect(contentOf(chain.followed)).toEqual(contentOf(await chain.read()));
      }),
      { numRuns: 10 },
    );
    expect(taken).toBeGreaterThan(5);
  },
);

it('records are empty before contracts are deployed, and before they are initialized', async () => {
  const chain = await ContractChain.deploy('v2');
  const none = { networkBoot: false, orgs: [], nodes: [], roles: [], accounts: [] };
  expect(contentOf(await chain.read())).toEqual(none);
  const { addresses } = chain.config;
  const unused = Object.fromEntries(Object.keys(addresses).map((name) => [name, UNUSED]));
  const parts = { ...chain.rules, addresses: unused as unknown as typeof addresses };
  const state = new ContractState({ ...parts, world: await chain.world() });
  const read = await readRecords(state, { ...chain.network, capacity: DEFAULT_RECORD_CAPACITY });
  expect(contentOf(read)).toEqual(none);
});

it('contracts of the other model are detected', async () => {
  const chain = await ContractChain.boot('v1');
  const reading = readRecords(await chain.state(), {
    model: 'v2',
    isRaft: false,
    capacity: DEFAULT_RECORD_CAPACITY,
  });
  await expect(reading).rejects.toThrow('the nodeManager contract says nothing of its entry 0 of 1');
});
