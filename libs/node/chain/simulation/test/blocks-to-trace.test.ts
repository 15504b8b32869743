import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, parseAddress } from '@tetrad/types';
import { blocksToTrace } from '../src/flat/blocks-to-trace.js';

const to = parseAddress(`0x${'11'.repeat(20)}`);
const index = { find: async () => [] };

describe('the blocks whose traces a filter may name', () => {
  it('are not looked for beyond the time of a request, where no block has a reward', async () => {
    let looked = 0;
    const rules = {
      rewardOf: () => {
        looked += 1;
        return undefined;
      },
    };
    const assertGoesOn = () => {
      throw new Error('it is over');
    };
    const range = { from: 0, to: 2 ** 40 };
    const search = blocksToTrace({ toAddress: [to] }, range, { index, rules, most: 10, assertGoesOn });
    await expect(search).rejects.toThrow('it is over');
    expect(looked).toBeLessThan(2 ** 32);
  });

  it('are all where a block has a reward, which no transaction names', async () => {
    const rules = { rewardOf: () => ({ beneficiary: ZERO_ADDRESS, wei: 1n }) };
    const source = { index, rules, most: 10, assertGoesOn: () => undefined };
    expect([...(await blocksToTrace({ toAddress: [to] }, { from: 1, to: 3 }, source))]).toEqual([1, 2, 3]);
    expect([...(await blocksToTrace({ fromAddress: [to] }, { from: 1, to: 3 }, source))]).toEqual([]);
  });
});
