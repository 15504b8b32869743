import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'ibft', blocks: 'A:+E' });
});
afterAll(() => node.stop());

describe('ibft_discard', () => {
  it('answers null, also for an address that is not a candidate', async () => {
    await node.result('ibft_propose', [addressOf('E'), true]);
    await node.result('ibft_propose', [addressOf('B'), false]);
    expect(await node.result('ibft_discard', [addressOf('B')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({ [addressOf('E')]: true });
    expect(await node.result('ibft_discard', [addressOf('D')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({ [addressOf('E')]: true });
  });

  it('I39: leaves a vote that a block carries in the snapshot', async () => {
    expect(await node.result('ibft_discard', [addressOf('E')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({});
    expect(await node.result('ibft_getSnapshot')).toMatchObject({
      tally: { [addressOf('E')]: { authorize: true, votes: 1 } },
    });
  });

  it('names a bad parameter', async () => {
    const { error } = await node.call('ibft_discard', ['E']);
    expect(error).toMatchObject({ code: -32602, data: { field: 'address' } });
  });
});
