import { describe, expect, it } from '@jest/globals';
import { pauseAfter } from './pause-after.js';

/** The part of the time that the index works. */
const share = (batchMs: number, isImporting: boolean) =>
  batchMs / (batchMs + pauseAfter(batchMs, isImporting));

describe('the pause after a batch', () => {
  it('leaves imports nine tenths of the time, and otherwise a half', () => {
    for (const batchMs of [1, 50, 500, 1_000]) {
      expect(share(batchMs, true)).toBeCloseTo(0.1);
      expect(share(batchMs, false)).toBeCloseTo(0.5);
    }
  });

  it('is bounded', () => {
    expect(pauseAfter(60_000, true)).toBe(10_000);
    expect(pauseAfter(60_000, false)).toBe(1_000);
  });
});
