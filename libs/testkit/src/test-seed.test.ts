import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { testSeed } from './test-seed.js';

describe('the seed of tests', () => {
  it('is the same by default, and otherwise the configured one', () => {
    expect(testSeed('')).toBe(testSeed(''));
    expect(testSeed('-7')).toBe(-7);
    expect(Number.isInteger(testSeed('random'))).toBe(true);
  });

  it.each(['seven', '1.5', '99999999999', ' x'])('%j is refused', (asked) => {
    expect(() => testSeed(asked)).toThrow(
      'TETRAD_TEST_SEED must be an integer of at most 31 bits or "random"',
    );
  });

  it('seeds the properties', () => {
    const seed = fc.readConfigureGlobal().seed;
    if (process.env['TETRAD_TEST_SEED'] === 'random') expect(Number.isInteger(seed)).toBe(true);
    else expect(seed).toBe(testSeed());
  });
});
