import { describe, expect, it } from '@jest/globals';
import { integerArray } from './integer-array.js';

describe('an array of integers as a parameter', () => {
  it('has its header, and each integer behind its length', () => {
    const header = '0000000100000000' + '00000017' + '00000002' + '00000001';
    expect(integerArray(4, [7, -1]).toString('hex')).toBe(`${header}0000000400000007` + '00000004ffffffff');
    expect(integerArray(2, []).toString('hex')).toBe('0000000000000000' + '00000015');
  });

  it('takes numbers and bigints of the whole range of its type', () => {
    const values = [2n ** 63n - 1n, -(2n ** 63n), Number.MAX_SAFE_INTEGER, -1, 0n, 2n ** 32n + 5n];
    const array = integerArray(8, values);
    expect(values.map((_, index) => array.readBigInt64BE(24 + 12 * index))).toEqual(values.map(BigInt));
  });

  it.each([
    [2, 32_768],
    [4, 2 ** 31],
    [8, 2n ** 63n],
  ] as const)('refuses what does not fit into %d bytes', (width, value) => {
    expect(() => integerArray(width, [value])).toThrow(RangeError);
  });
});
