import { describe, expect, it } from '@jest/globals';
import { ZERO_HASH, type Block, type MinedReceipt } from '@tetrad/types';
import { FeeHistoryQuery } from './fee-history.js';

/** A transaction that used gas at a price. */
function mined(gasUsed: bigint, gasPrice: bigint): MinedReceipt {
  const transaction = { type: 'legacy', gasPrice };
  return { transaction, position: {}, receipt: { gasUsed } } as unknown as MinedReceipt;
}

/** A chain of half-full blocks with the receipts; counts the blocks that are read. */
function chain(head: number, receipts: readonly MinedReceipt[] = []) {
  const read: number[] = [];
  const blockAt = (number: number) =>
    ({ hash: ZERO_HASH, header: { number, gasUsed: 50n, gasLimit: 100n } }) as unknown as Block;
  const query = new FeeHistoryQuery({
    head: () => blockAt(head),
    findBlock: async (reference) => {
      read.push(Number(reference));
      return blockAt(Number(reference));
    },
    listReceipts: async () => receipts,
  });
  return { query, read };
}

const giveWay = () => undefined;

describe('the fee history', () => {
  it('covers the blocks up to the newest, with one base fee more', async () => {
    const { query, read } = chain(20);
    expect(await query.run({ blockCount: 3, newestBlock: 'latest', giveWay })).toEqual({
      oldestBlock: 18,
      baseFeePerGas: [0n, 0n, 0n, 0n],
      gasUsedRatio: [0.5, 0.5, 0.5],
    });
    expect(read).toEqual([18, 19, 20]);
  });

  it('begins at block 0 at the earliest, and covers 1024 blocks at most', async () => {
    const short = await chain(2).query.run({ blockCount: 10, newestBlock: 2, giveWay });
    expect([short.oldestBlock, short.gasUsedRatio.length]).toEqual([0, 3]);
    const long = await chain(5_000).query.run({ blockCount: 9_999, newestBlock: 5_000, giveWay });
    expect([long.oldestBlock, long.gasUsedRatio.length]).toEqual([5_000 - 1_023, 1_024]);
  });

  it('is empty when no block is requested', async () => {
    const { query, read } = chain(20);
    expect(await query.run({ blockCount: 0, newestBlock: 'latest', percentiles: [50], giveWay })).toEqual({
      oldestBlock: 0,
      baseFeePerGas: [],
      gasUsedRatio: [],
      reward: [],
    });
    expect(read).toEqual([]);
  });

  it('returns the tips at percentiles of the gas', async () => {
    const { query } = chain(1, [mined(60n, 9n), mined(10n, 1n), mined(30n, 4n)]);
    const { reward } = await query.run({
      blockCount: 1,
      newestBlock: 'latest',
      percentiles: [0, 10, 11, 40, 41, 100],
      giveWay,
    });
    expect(reward).toEqual([[1n, 1n, 4n, 4n, 9n, 9n]]);
  });

  it('has no tips where nothing was mined', async () => {
    const { query } = chain(1);
    const request = { blockCount: 1, newestBlock: 1, percentiles: [50], giveWay };
    expect((await query.run(request)).reward).toEqual([[0n]]);
  });

  it('is refused above the head', async () => {
    await expect(chain(20).query.run({ blockCount: 1, newestBlock: 21, giveWay })).rejects.toMatchObject({
      code: 'BLOCK_NOT_FOUND',
    });
  });

  it('gives way between pages of blocks, and stops reading once the caller is gone', async () => {
    const { query, read } = chain(1_024);
    const seen: number[] = [];
    const watch = () => void seen.push(read.length);
    await query.run({ blockCount: 1_024, newestBlock: 'latest', giveWay: () => watch() as undefined });
    expect(seen).toEqual(Array.from({ length: 64 }, (_, page) => page * 16));
    const gone = chain(500);
    const leave = async () => {
      if (gone.read.length > 0) throw new Error('gone');
    };
    const left = gone.query.run({ blockCount: 500, newestBlock: 'latest', giveWay: leave });
    await expect(left).rejects.toThrow('gone');
    expect(gone.read.length).toBe(16);
  });
});
