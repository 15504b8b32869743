import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

interface Status {
  readonly numBlocks: number;
  readonly sealerActivity: Readonly<Record<string, number>>;
}

/** Takes the turns of four validators. */
const turns = (blocks: number) =>
  Array.from({ length: blocks }, (_, index) => 'ABCD'.charAt(index % 4)).join(', ');

const sum = ({ sealerActivity }: Status) => Object.values(sealerActivity).reduce((a, b) => a + b, 0);

describe('ibft_status on a long chain', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'qbft', blocks: turns(100) });
  });
  afterAll(() => node.stop());

  it('I32: counts a range without its end, every validator in it', async () => {
    const cases: [readonly unknown[], number][] = [
      [[], 64],
      [[1, 10], 9],
      [[0, 10], 9],
      [[5, 5], 0],
      [['0x1', '0xa'], 9],
      [[36, 100], 64],
    ];
    for (const [params, numBlocks] of cases) {
      const status = await node.result<Status>('ibft_status', params);
      expect(status.numBlocks).toBe(numBlocks);
      expect(Object.keys(status.sealerActivity)).toHaveLength(4);
      expect(sum(status)).toBe(numBlocks);
    }
    expect(await node.result('ibft_status', [1, 3])).toEqual({
      numBlocks: 2,
      sealerActivity: {
        [addressOf('A')]: 1,
        [addressOf('B')]: 1,
        [addressOf('C')]: 0,
        [addressOf('D')]: 0,
      },
    });
  });

  it.each([
    [[1], 'pass the end block number'],
    [[null, 10], 'pass the start block number'],
    [[10, 1], 'start block number should be less than end block number'],
    [[1, 101], 'end block number should be less than or equal to current block height'],
  ])('refuses %j with `%s`', async (params, text) => {
    const answer = await node.call('ibft_status', params);
    expect(reasonOf(answer)).toBe('INVALID_BLOCK_RANGE');
    expect(answer.error?.message).toBe(text);
  });

  it('names a bad parameter', async () => {
    expect((await node.call('ibft_status', ['latest', 2])).error).toMatchObject({
      code: -32602,
      data: { field: 'startBlockNumber' },
    });
    expect((await node.call('ibft_status', [1, -2])).error).toMatchObject({
      code: -32602,
      data: { field: 'endBlockNumber' },
    });
  });
});

describe('ibft_status on other chains', () => {
  let node: RunningNode | undefined;
  afterEach(() => node?.stop());

  it('also counts a proposer that is no longer a validator at the end', async () => {
    node = await startOnChain({ engine: 'ibft', blocks: 'D, A:-D, B:-D, C:-D, A' });
    expect(await node.result('ibft_getValidators')).not.toContain(addressOf('D'));
    expect(await node.result('ibft_status', [1, 5])).toEqual({
      numBlocks: 4,
      sealerActivity: Object.fromEntries((['A', 'B', 'C', 'D'] as const).map((name) => [addressOf(name), 1])),
    });
  });

  it.each([
    ['A', 0],
    ['A, B', 1],
    // Scenario I32.
    [turns(10), 9],
  ])('begins at block 1 where there are few: %s', async (blocks, expected) => {
    node = await startOnChain({ engine: 'ibft', blocks });
    const status = await node.result<Status>('ibft_status');
    expect([status.numBlocks, sum(status)]).toEqual([expected, expected]);
    expect(Object.keys(status.sealerActivity)).toHaveLength(4);
    expect(await node.result('ibft_status', [0, 0])).toMatchObject({ numBlocks: 0 });
  });
});
