import { describe, expect, it } from '@jest/globals';
import { blockTimeAfter } from './minting.js';

describe('the time to the next block', () => {
  it('is the block time at light load, and grows with the size of the last block, up to a bound', () => {
    const times = [0, 1, 32, 64, 128, 256, 100_000].map((size) => blockTimeAfter(size, 50));
    expect(times).toEqual([50, 50, 50, 100, 200, 400, 400]);
  });

  it('is never less than the block time, even when that exceeds the bound', () => {
    expect(blockTimeAfter(100_000, 2_000)).toBe(2_000);
  });
});
