import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { VALIDATORS, addressOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'ibft', blocks: 'A:+E, B:-C' });
});
afterAll(() => node.stop());

describe('ibft_getSnapshotAtHash', () => {
  it('is the snapshot after the block with the hash', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x2', false]);
    expect(await node.result('ibft_getSnapshotAtHash', [hash])).toEqual({
      epoch: 30_000,
      number: 2,
      hash,
      votes: [
        { validator: addressOf('A'), block: 1, address: addressOf('E'), authorize: true },
        { validator: addressOf('B'), block: 2, address: addressOf('C'), authorize: false },
      ],
      tally: {
        [addressOf('C')]: { authorize: false, votes: 1 },
        [addressOf('E')]: { authorize: true, votes: 1 },
      },
      validators: VALIDATORS,
      policy: 0,
    });
  });

  it('has null for the votes of block 0', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(await node.result('ibft_getSnapshotAtHash', [hash])).toMatchObject({
      ...{ number: 0, hash, votes: null, tally: {}, validators: VALIDATORS },
    });
  });

  it('refuses an unknown block', async () => {
    const answer = await node.call('ibft_getSnapshotAtHash', [`0x${'12'.repeat(32)}`]);
    expect(reasonOf(answer)).toBe('BLOCK_NOT_FOUND');
    expect(answer.error?.message).toBe('unknown block');
  });

  it('names a bad parameter', async () => {
    for (const params of [[], [1], ['latest']]) {
      expect((await node.call('ibft_getSnapshotAtHash', params)).error?.code).toBe(-32602);
    }
  });
});
