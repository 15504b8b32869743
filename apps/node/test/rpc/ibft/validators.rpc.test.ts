import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { VALIDATORS, addressOf, keyOf, startOnChain } from '../../validator-chain.js';

describe('ibft_getValidators', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'ibft', blocks: 'A:-D, B:-D, C:-D, A' });
  });
  afterAll(() => node.stop());

  const WITHOUT_D = VALIDATORS.filter((address) => address !== addressOf('D'));

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

describe('ibft_getValidatorsAtHash', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'qbft', blocks: 'A:-D, B:-D, C:-D' });
  });
  afterAll(() => node.stop());

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

describe('ibft_isValidator', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'qbft', blocks: 'B:-A, C:-A, D:-A, B:+A' });
  });
  afterAll(() => node.stop());

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

describe('ibft_nodeAddress', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'qbft', blocks: 'A' }, [
      '--rpc-alias',
      'istanbul=ibft',
      '--http-api',
      'eth,ibft',
    ]);
  });
  afterAll(() => node.stop());

  it('is the address of the node key, in lower case', async () => {
    expect(await node.result('ibft_nodeAddress')).toBe(addressOf('A'));
  });

  it('answers under the name that clients of other nodes use, when that is configured', async () => {
    expect(await node.result('istanbul_nodeAddress')).toBe(addressOf('A'));
    expect(await node.result('istanbul_getValidators', ['latest'])).toHaveLength(4);
  });

  it('is also the address of a node that is not a validator', async () => {
    const follower = await startNode([], { nodeKey: keyOf('E') });
    const answers = [await follower.call('ibft_nodeAddress'), await follower.call('ibft_isValidator')];
    await follower.stop();
    expect(answers).toMatchObject([{ result: addressOf('E') }, { result: false }]);
  });

  it('is refused where the module is not exposed', async () => {
    const closed = await startNode([], { modules: 'eth' });
    const { error } = await closed.call('ibft_nodeAddress');
    await closed.stop();
    expect(error?.code).toBe(-32601);
  });

  it('takes no parameters', async () => {
    expect((await node.call('ibft_nodeAddress', [true])).error?.code).toBe(-32602);
  });
});
