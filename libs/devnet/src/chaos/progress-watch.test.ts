import { describe, expect, it } from '@jest/globals';
import { Standstill } from './progress-watch.js';

describe('the longest standstill of a chain', () => {
  it('lies between two blocks', () => {
    const standstill = new Standstill(1_000);
    standstill.see(1, 2_000);
    standstill.see(2, 9_000);
    standstill.see(3, 9_500);
    expect(standstill.longestMs(10_000)).toBe(7_000);
  });

  it('may be the time before the first block, or since the last', () => {
    const standstill = new Standstill(1_000);
    expect(standstill.longestMs(4_000)).toBe(3_000);
    standstill.see(1, 5_000);
    expect(standstill.longestMs(6_000)).toBe(4_000);
    expect(standstill.longestMs(15_000)).toBe(10_000);
  });

  it('does not end with a node that is behind, or does not answer', () => {
    const standstill = new Standstill(0);
    standstill.see(5, 100);
    standstill.see(0, 900);
    standstill.see(5, 1_800);
    expect(standstill.longestMs(2_000)).toBe(1_900);
    expect(standstill.height).toBe(5);
  });
});
