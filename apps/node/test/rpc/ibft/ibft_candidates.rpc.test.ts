import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf, startOnChain } from '../../validator-chain.js';
import type { RunningNode } from '../../running-node.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'qbft', blocks: 'A' });
});
afterAll(() => node.stop());

describe('ibft_candidates', () => {
  it('is empty at first, then what was proposed, ascending and in lower case', async () => {
    expect(await node.result('ibft_candidates')).toEqual({});
    await node.result('ibft_propose', [addressOf('E').toUpperCase().replace('0X', '0x'), true]);
    await node.result('ibft_propose', [addressOf('A'), false]);
    const candidates = await node.result<object>('ibft_candidates');
    expect(Object.entries(candidates)).toEqual([
      [addressOf('A'), false],
      [addressOf('E'), true],
    ]);
  });

  it('hold the last value that was proposed of an address', async () => {
    await node.result('ibft_propose', [addressOf('B'), true]);
    expect(await node.result('ibft_candidates')).toMatchObject({ [addressOf('B')]: true });
    await node.result('ibft_propose', [addressOf('B'), false]);
    expect(await node.result('ibft_candidates')).toMatchObject({ [addressOf('B')]: false });
    await node.result('ibft_discard', [addressOf('B')]);
  });

  it('takes no parameters', async () => {
    expect((await node.call('ibft_candidates', [1])).error?.code).toBe(-32602);
  });
});
