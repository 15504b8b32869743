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

  it('comes from one list only', () => {
    expect(sizes.largest).toBe(32);
    expect(new BatchSizes([2]).isFull(1, 0)).toBe(false);
    expect(new BatchSizes([2]).isFull(2, 9)).toBe(true);
    expect(() => new BatchSizes([])).toThrow(RangeError);
  });
});
