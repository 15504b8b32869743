import { describe, expect, it } from '@jest/globals';
import type { DeploymentTerms } from '@tetrad/rollup-chain';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS } from '@tetrad/types';
import { doubtsOfTerms } from './check-terms.js';

const DAY = 86_400n;
const usual: DeploymentTerms = {
  operator: ZERO_ADDRESS,
  operatorKey: multiplyGenerator(3n),
  verifiers: [],
  stallTimeout: DAY,
  requestsPerTimeout: 300n,
  depositsPerTimeout: 1_500n,
  etherUnit: 10n ** 9n,
  minDeposit: 1n,
};

describe('terms that are unusual', () => {
  it('are none of the defaults, nor of a contract with turns', () => {
    expect(doubtsOfTerms(usual)).toEqual([]);
    const rates = { requestsPerTimeout: undefined, depositsPerTimeout: undefined };
    expect(doubtsOfTerms({ ...usual, ...rates, turnBlocks: 32n })).toEqual([]);
  });

  it.each<[string, Partial<DeploymentTerms>]>([
    ['stallTimeout', { stallTimeout: 31n * DAY }],
    ['requestsPerTimeout', { requestsPerTimeout: 2n }],
    ['depositsPerTimeout', { depositsPerTimeout: 2n }],
    ['minDeposit', { minDeposit: 10n ** 9n + 1n }],
    ['minDeposit', { minDeposit: 2n ** 63n, etherUnit: 1n }],
  ])('are said by name: %s', (name, changed) => {
    expect(doubtsOfTerms({ ...usual, ...changed })).toEqual([expect.stringContaining(`(${name})`)]);
  });
});
