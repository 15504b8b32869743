import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatEther } from 'ethers/utils';
import { ZERO_ADDRESS, parseAddress } from '@tetrad/types';
import { describeAmount, parseAmount } from './amount.js';

const ether = { id: 0, address: ZERO_ADDRESS, unit: 1_000_000_000n };
const token = { id: 3, address: parseAddress(`0x${'aa'.repeat(20)}`), unit: 1000n };

describe('an amount on the command line', () => {
  it.each([
    ['1500', 1500n],
    ['0', 0n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['1.5ether', 1_500_000_000n],
    ['0.000000001ether', 1n],
    ['20gwei', 20n],
    ['1000000000wei', 1n],
  ])('%s is so many units of ether', (text, units) => {
    expect(parseAmount(text, ether)).toBe(units);
  });

  it.each([
    ['', 'must be a number of units'],
    ['-1', 'must be a number of units'],
    ['1.5', 'must be a number of units'],
    ['1e3', 'must be a number of units'],
    ['0x10', 'must be a number of units'],
    ['1 ether', 'must be a number of units'],
    ['18446744073709551616', 'must be below 2^64 units'],
    ['20000000000ether', 'must be below 2^64 units'],
    ['1.5gwei', 'must be a multiple of 1000000000 wei'],
    ['1wei', 'must be a multiple of 1000000000 wei'],
    ['1.5wei', 'more decimals than a wei'],
    ['9'.repeat(100_000), 'must be a number of units'],
  ])('%.20s is refused', (text, problem) => {
    expect(() => parseAmount(text, ether)).toThrow(problem);
  });

  it('has no unit of ether for another token', () => {
    expect(parseAmount('12', token)).toBe(12n);
    expect(() => parseAmount('12ether', token)).toThrow('token 3 is not ether');
  });

  it('is said in ether as other clients say it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        const text = formatEther(amount * ether.unit).replace(/\.0$/, '');
        expect(describeAmount(amount, ether)).toBe(`${amount} units of token 0 (${text} ether)`);
      }),
    );
    expect(describeAmount(7n, token)).toContain('7000 base units of 0xaaaa');
  });
});
