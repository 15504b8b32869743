import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { VALIDATORS, addressOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'ibft', blocks: 'A:-D, B:-D, C:-D, A' });
});
afterAll(() => node.stop());

const WITHOUT_D = VALIDATORS.filter((address) => address !== addressOf('D'));

describe('ibft_getValidators', () => {
  it('is the set after the block, ascending, for every form of reference', async () => {
    for (const block of [2, '0x2', '2', 'earliest', 0])
      expect(await node.result('ibft_getValidators', [block])).toEqual(VALIDATORS);
    for (const block of [3, '0x3', 'latest', null])
      expect(await node.result('ibft_getValidators', [block])).toEqual(WITHOUT_D);
    expect(await node.result('ibft_getValidators')).toEqual(WITHOUT_D);
  });

  it('refuses an unknown block, including the pending one', async () => {
    for (const block of [5, '0x5', 'pending']) {
      const answer = await node.call('ibft_getValidators', [block]);
      expect(reasonOf(answer)).toBe('BLOCK_NOT_FOUND');
      expect(answer.error?.message).toBe('unknown block');
    }
  });

  it('names a bad parameter', async () => {
    for (const block of [-1, 'newest', {}]) {
      const { error } = await node.call('ibft_getValidators', [block]);
      expect(error).toMatchObject({ code: -32602, data: { field: 'blockNumber' } });
    }
  });
});
