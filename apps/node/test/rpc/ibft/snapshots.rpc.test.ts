import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { VALIDATORS, addressOf, startOnChain } from '../../validator-chain.js';

describe('ibft_getSnapshot', () => {
  let node: RunningNode;
  beforeAll(async () => {
    const consensus = { epochlength: 6, policy: 1 };
    node = await startOnChain({ engine: 'qbft', blocks: 'A:+E, B, C:+E, D:-A, A, B', consensus });
  });
  afterAll(() => node.stop());

  const hashOf = async (number: number) =>
    (await node.result<{ hash: string }>('eth_getBlockByNumber', [`0x${number}`, false])).hash;

  it('I34: shows the open votes and their tally after a block', async () => {
    expect(await node.result('ibft_getSnapshot', [1])).toEqual({
      epoch: 6,
      number: 1,
      hash: await hashOf(1),
      votes: [{ validator: addressOf('A'), block: 1, address: addressOf('E'), authorize: true }],
      tally: { [addressOf('E')]: { authorize: true, votes: 1 } },
      validators: VALIDATORS,
      policy: 1,
    });
    expect(await node.result('ibft_getSnapshot', ['0x4'])).toMatchObject({
      votes: [
        { validator: addressOf('A'), block: 1 },
        { validator: addressOf('C'), block: 3 },
        { validator: addressOf('D'), block: 4, address: addressOf('A'), authorize: false },
      ],
      tally: {
        [addressOf('A')]: { authorize: false, votes: 1 },
        [addressOf('E')]: { authorize: true, votes: 2 },
      },
    });
  });

  it('has the same keys at every block, for every form of reference', async () => {
    const keys = ['epoch', 'number', 'hash', 'votes', 'tally', 'validators', 'policy'];
    for (const block of [0, 1, '0x5', '5', 'latest', 'earliest', null])
      expect(Object.keys(await node.result<object>('ibft_getSnapshot', [block]))).toEqual(keys);
    expect(await node.result('ibft_getSnapshot')).toEqual(await node.result('ibft_getSnapshot', [6]));
  });

  it('has null for votes at block 0 and where an epoch begins', async () => {
    for (const block of [0, 'earliest', 'latest', 6]) {
      expect(await node.result('ibft_getSnapshot', [block])).toMatchObject({ votes: null, tally: {} });
    }
  });

  it('refuses an unknown block, including the pending one', async () => {
    for (const block of [7, 'pending']) {
      const answer = await node.call('ibft_getSnapshot', [block]);
      expect(reasonOf(answer)).toBe('BLOCK_NOT_FOUND');
      expect(answer.error?.message).toBe('unknown block');
    }
  });

  it('names a bad parameter', async () => {
    const { error } = await node.call('ibft_getSnapshot', ['newest']);
    expect(error).toMatchObject({ code: -32602, data: { field: 'blockNumber' } });
  });
});

describe('ibft_getSnapshotAtHash', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'ibft', blocks: 'A:+E, B:-C', consensus: { policy: 2 } });
  });
  afterAll(() => node.stop());

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
      policy: 2,
    });
  });

  it('has null for the votes of block 0', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(await node.result('ibft_getSnapshotAtHash', [hash])).toMatchObject({
      number: 0,
      hash,
      votes: null,
      tally: {},
      validators: VALIDATORS,
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
