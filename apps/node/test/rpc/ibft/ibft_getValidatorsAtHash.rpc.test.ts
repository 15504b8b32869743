import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { VALIDATORS, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'qbft', blocks: 'A:-D, B:-D, C:-D' });
});
afterAll(() => node.stop());

describe('ibft_getValidatorsAtHash', () => {
  it('is the set after the block with the hash', async () => {
    for (const number of [0, 2, 3]) {
      const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        false,
      ]);
      const expected = number === 3 ? VALIDATORS.slice(0, 3) : VALIDATORS;
      expect(await node.result('ibft_getValidatorsAtHash', [hash])).toEqual(expected);
    }
  });

  it('refuses an unknown block', async () => {
    const answer = await node.call('ibft_getValidatorsAtHash', [`0x${'12'.repeat(32)}`]);
    expect(reasonOf(answer)).toBe('BLOCK_NOT_FOUND');
    expect(answer.error?.message).toBe('unknown block');
  });

  it('names a bad parameter', async () => {
    for (const params of [[], ['latest'], ['0x12']]) {
      expect((await node.call('ibft_getValidatorsAtHash', params)).error?.code).toBe(-32602);
    }
  });
});
