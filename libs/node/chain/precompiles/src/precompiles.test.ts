import { describe, expect, it } from '@jest/globals';
import type { FORK_NAMES } from './precompile.js';
import { precompiles } from './precompiles.js';

const addresses = (fork: (typeof FORK_NAMES)[number]) => [...precompiles.of(fork).keys()].map(Number);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('precompiles of a fork', () => {
  it.each([
    ['chainstart', upTo(4)],
    ['spuriousDragon', upTo(4)],
    ['byzantium', upTo(8)],
    ['petersburg', upTo(8)],
    ['istanbul', upTo(9)],
    ['shanghai', upTo(9)],
    ['cancun', upTo(10)],
    ['prague', upTo(17)],
    ['osaka', [...upTo(17), 0x100]],
  ] as const)('%s has those at its addresses', (fork, expected) => {
    expect(addresses(fork)).toEqual(expected);
  });

  it('keep those that the fork does not change', () => {
    expect(precompiles.of('osaka').get(1)).toBe(precompiles.of('chainstart').get(1));
    expect(precompiles.of('berlin').get(5)).not.toBe(precompiles.of('istanbul').get(5));
  });
});
