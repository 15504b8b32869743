import { describe, expect, it } from '@jest/globals';
import { seededRandom } from './test-seed.js';

const drawn = (seed: number) => Array.from({ length: 1_000 }, seededRandom(seed));

describe('random numbers with a seed', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  it('are spread over [0, 1)', () => {
    const counts = [0, 0, 0, 0];
    for (const number of drawn(7)) counts[Math.floor(number * 4)] = (counts[Math.floor(number * 4)] ?? 0) + 1;
    expect(counts).toHaveLength(4);
    expect(Math.min(...counts)).toBeGreaterThan(200);
  });
});
