import { describe, expect, it } from '@jest/globals';
import { exponentOf } from './exponent.js';

const SIZES = [10, 1_000, 10_000];

describe('the exponent of a curve', () => {
  it.each([0, 0.5, 1, 2])('of points on a power of %d is that power', (power) => {
    const points = SIZES.map((size) => ({ size, cost: 3 * size ** power }));
    expect(exponentOf(points)).toBeCloseTo(power, 9);
  });

  it('is drawn by all points, not by the first and the last', () => {
    const points = [
      { size: 1, cost: 1 },
      { size: 10, cost: 10 },
      { size: 100, cost: 10 },
    ];
    expect(exponentOf(points)).toBeCloseTo(0.5, 9);
  });
});
