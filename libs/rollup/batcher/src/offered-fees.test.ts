import { describe, expect, it } from '@jest/globals';
import { offeredFees } from './offered-fees.js';

const LIMIT = 500n;

describe('what a transaction offers first', () => {
  it.each([
    ['enough for a base fee that doubles', { baseFee: 100n, gasPrice: 110n }, 210n, 10n],
    [
      'no more than the limit, however much the client asks',
      { baseFee: 7n, gasPrice: 10n ** 15n },
      500n,
      500n,
    ],
    ['the limit, where a base fee that doubles is above it', { baseFee: 400n, gasPrice: 420n }, 500n, 20n],
    ['the limit, where the base fee is that', { baseFee: 500n, gasPrice: 500n }, 500n, 0n],
    ['no more than the limit without a base fee', { baseFee: undefined, gasPrice: 501n }, 500n, 500n],
    ['nothing where gas is free', { baseFee: undefined, gasPrice: 0n }, 0n, 0n],
  ])('is %s', (_, market, maxFee, maxPriorityFee) => {
    expect(offeredFees(market, LIMIT)).toEqual({ maxFee, maxPriorityFee });
  });

  it('is undefined where nothing within the limit is mined', () => {
    expect(offeredFees({ baseFee: 501n, gasPrice: 502n }, LIMIT)).toBeUndefined();
  });
});
