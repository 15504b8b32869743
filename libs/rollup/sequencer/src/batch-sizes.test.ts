import { describe, expect, it } from '@jest/globals';
import { BatchSizes } from './batch-sizes.js';

const sizes = new BatchSizes([32, 2, 8, 2]);

describe('the size of a batch', () => {
  it.each([
    [1, 2],
    [2, 2],
    [3, 8],
    [8, 8],
    [9, 32],
    [32, 32],
  ])('with %i operations is %i', (operations, size) => {
    expect(sizes.fitting(operations)).toBe(size);
  });

  it.each([
    ['the last place is taken', 32, 0, true],
    ['the last place is taken and more follows', 32, 500, true],
    ['no place is empty and nothing follows', 2, 0, true],
    ['what follows does not fill the next size', 2, 5, true],
    ['what follows fills the next size', 2, 6, false],
    ['what follows is unknown', 8, Infinity, false],
    ['places are empty', 7, 0, false],
    ['nothing is in it', 0, 0, false],
  ])('is settled when %s', (_, operations, following, isFull) => {
    expect(sizes.isFull(operations, following)).toBe(isFull);
  });

  it('is one of those that are usable, or of all when none is', () => {
    const some = sizes.among([2, 8, 64]);
    expect([some.largest, some.fitting(3), some.fitting(9)]).toEqual([8, 8, 8]);
    expect(some.isFull(8, 500)).toBe(true);
    expect(sizes.among([4]).largest).toBe(32);
  });

  it('comes from one list only', () => {
    expect(sizes.largest).toBe(32);
    expect(new BatchSizes([2]).isFull(1, 0)).toBe(false);
    expect(new BatchSizes([2]).isFull(2, 9)).toBe(true);
    expect(() => new BatchSizes([])).toThrow(RangeError);
  });
});
