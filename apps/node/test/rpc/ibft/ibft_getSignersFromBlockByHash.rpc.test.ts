import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'ibft', blocks: 'A, B' });
});
afterAll(() => node.stop());

const hashOf = async (number: string) =>
  (await node.result<{ hash: string }>('eth_getBlockByNumber', [number, false])).hash;

describe('ibft_getSignersFromBlockByHash', () => {
  it('names proposer and committers', async () => {
    const hash = await hashOf('0x2');
    expect(await node.result('ibft_getSignersFromBlockByHash', [hash])).toEqual({
      number: 2,
      hash,
      author: addressOf('B'),
      committers: (['A', 'B', 'C'] as const).map(addressOf),
    });
  });

  it('refuses an unknown block, and one without seals', async () => {
    const unknown = await node.call('ibft_getSignersFromBlockByHash', [`0x${'12'.repeat(32)}`]);
    expect(reasonOf(unknown)).toBe('BLOCK_NOT_FOUND');
    expect(unknown.error?.message).toBe('unknown block');
    const genesis = await node.call('ibft_getSignersFromBlockByHash', [await hashOf('0x0')]);
    expect(reasonOf(genesis)).toBe('INVALID_SIGNATURE');
  });

  it('names a bad parameter', async () => {
    for (const params of [[], [2], ['latest']]) {
      expect((await node.call('ibft_getSignersFromBlockByHash', params)).error?.code).toBe(-32602);
    }
  });
});
