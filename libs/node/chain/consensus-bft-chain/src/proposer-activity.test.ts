import { describe, expect, it } from '@jest/globals';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Address, Block, BlockHeader, SealedHeader } from '@tetrad/types';
import { proposerActivity, type ProposedChain } from './proposer-activity.js';

const VALIDATORS = [0, 1, 2].map((digit) => `0x${String(digit).repeat(40)}` as Address);

/** A chain on which all but the last validator propose in turn; records which headers were read together. */
function chain(head: number) {
  const read: [number, number][] = [];
  const header = (number: number) => ({ header: { number } }) as SealedHeader;
  const proposed: ProposedChain = {
    ledger: {
      head: () => header(head) as Block,
      snapshotAt: async () => ({ validators: VALIDATORS }) as unknown as ValidatorSnapshot,
      listHeaders: async (from, to) => {
        read.push([from, to]);
        return Array.from({ length: to - from + 1 }, (_, index) => header(from + index));
      },
    },
    rules: { proposerOf: ({ number }: BlockHeader) => VALIDATORS[number % 2] as Address },
  };
  const count = (start?: number, end?: number) =>
    proposerActivity(proposed, { start, end, signal: new AbortController().signal });
  return { proposed, count, read };
}

describe('the activity of proposers', () => {
  it('counts the blocks of a range without its end, and lists validators that proposed none', async () => {
    const { numBlocks, sealerActivity } = await chain(10).count(4, 9);
    expect(numBlocks).toBe(5);
    expect([...sealerActivity]).toEqual([
      [VALIDATORS[0], 3],
      [VALIDATORS[1], 2],
      [VALIDATORS[2], 0],
    ]);
  });

  it('is that of the last 64 blocks when no range is given', async () => {
    const { count, read } = chain(100);
    expect((await count()).numBlocks).toBe(64);
    expect(read).toEqual([[36, 99]]);
  });

  it('leaves out block 0, which has no proposer', async () => {
    const { count, read } = chain(10);
    expect((await count()).numBlocks).toBe(9);
    expect((await count(0, 5)).numBlocks).toBe(4);
    expect(read).toEqual([
      [1, 9],
      [1, 4],
    ]);
  });

  it('reads the headers of a long range page by page', async () => {
    const { count, read } = chain(1_000);
    await count(1, 600);
    expect(read).toEqual([
      [1, 256],
      [257, 512],
      [513, 599],
    ]);
  });

  it.each<[string, number | undefined, number | undefined]>([
    ['pass the end block number', 1, undefined],
    ['pass the start block number', undefined, 1],
    ['start block number should be less than end block number', 5, 4],
    ['end block number should be less than or equal to current block height', 1, 11],
  ])('is refused: %s', async (text, start, end) => {
    await expect(chain(10).count(start, end)).rejects.toMatchObject({
      code: 'INVALID_BLOCK_RANGE',
      message: text,
    });
  });

  it('ends with the request', async () => {
    const { proposed } = chain(10);
    await expect(
      proposerActivity(proposed, { start: 1, end: 5, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
