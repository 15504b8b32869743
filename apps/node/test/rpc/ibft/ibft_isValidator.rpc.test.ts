import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'qbft', blocks: 'B:-A, C:-A, D:-A, B:+A' });
});
afterAll(() => node.stop());

describe('ibft_isValidator', () => {
  it('returns whether this node may produce the block after that one', async () => {
    for (const block of [0, 2, '0x2', 'earliest'])
      expect(await node.result('ibft_isValidator', [block])).toBe(true);
    for (const block of [3, '0x4', 'latest'])
      expect(await node.result('ibft_isValidator', [block])).toBe(false);
    expect(await node.result('ibft_isValidator')).toBe(false);
  });

  it('is false for an unknown block', async () => {
    for (const block of [99, 'pending']) expect(await node.result('ibft_isValidator', [block])).toBe(false);
  });

  it('names a bad parameter', async () => {
    const { error } = await node.call('ibft_isValidator', ['newest']);
    expect(error).toMatchObject({ code: -32602, data: { field: 'blockNumber' } });
  });
});
