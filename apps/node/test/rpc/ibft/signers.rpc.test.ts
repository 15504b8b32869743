import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

const COMMITTERS = (['A', 'B', 'C'] as const).map(addressOf);
const ZERO = `0x${'00'.repeat(20)}`;

describe.each(['qbft', 'ibft'] as const)('ibft_getSignersFromBlock on a %s chain', (engine) => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine, blocks: 'A, D:+E' });
  });
  afterAll(() => node.stop());

  it('names proposer and committers', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x2', false]);
    const expected = { number: 2, hash, author: addressOf('D'), committers: COMMITTERS };
    for (const params of [[], [2], ['0x2'], ['latest'], [null]])
      expect(await node.result('ibft_getSignersFromBlock', params)).toEqual(expected);
    expect(await node.result('ibft_getSignersFromBlock', [1])).toMatchObject({ author: addressOf('A') });
  });

  it('returns for block 0 what the format contains', async () => {
    const answer = await node.call('ibft_getSignersFromBlock', [0]);
    if (engine === 'ibft') {
      expect(reasonOf(answer)).toBe('INVALID_SIGNATURE');
      expect(answer.error?.message).toBe('invalid signature');
    } else {
      expect(answer.result).toMatchObject({ number: 0, author: ZERO, committers: null });
    }
  });

  it('refuses an unknown block, including the pending one', async () => {
    for (const block of [3, 'pending']) {
      const answer = await node.call('ibft_getSignersFromBlock', [block]);
      expect(reasonOf(answer)).toBe('BLOCK_NOT_FOUND');
      expect(answer.error?.message).toBe('unknown block');
    }
  });

  it('names a bad parameter', async () => {
    const { error } = await node.call('ibft_getSignersFromBlock', ['newest']);
    expect(error).toMatchObject({ code: -32602, data: { field: 'blockNumber' } });
  });
});

describe('ibft_getSignersFromBlockByHash', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'ibft', blocks: 'A, B' });
  });
  afterAll(() => node.stop());

  const hashOf = async (number: string) =>
    (await node.result<{ hash: string }>('eth_getBlockByNumber', [number, false])).hash;

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
