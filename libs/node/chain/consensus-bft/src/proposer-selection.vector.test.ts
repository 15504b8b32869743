import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, parseAddress } from '@tetrad/types';
import { orderProposers, proposerOf } from './proposer-selection.js';
import { roundTimeoutMs } from './round-timeout.js';

/** The published order check. Source: Consensys/quorum, consensus/istanbul/validator/proposerpolicy_test.go */
const SET = [
  'c53f2189bf6d7bf56722731787127f90d319e112',
  'ed2d479591fe2c5626ce09bca4ed2a62e00e5bc2',
  'c8417f834995aaeb35f342a67a4961e19cd4735c',
  '784ae51f5013b51c8360afdf91c6bc5a16f586ea',
  'ecf0974e6f0630fd91ea4da8399cdb3f59e5220f',
  '411c4d11acd714b82a5242667e36de14b9e1d10b',
].map((text) => parseAddress(`0x${text}`));

describe('the order of proposers', () => {
  const starts = (format: 'qbft' | 'ibft') => orderProposers(SET, format).map((one) => one.slice(2, 6));

  it('is that of the bytes in QBFT', () => {
    expect(starts('qbft')).toEqual(['411c', '784a', 'c53f', 'c841', 'ecf0', 'ed2d']);
  });

  it('is that of the checksummed text in IBFT', () => {
    expect(starts('ibft')).toEqual(['411c', '784a', 'c53f', 'ed2d', 'ecf0', 'c841']);
  });
});

describe('the proposer of a round', () => {
  const first = parseAddress('0x70524d664ffe731100208a0154e556f9bb679ae6');
  const second = parseAddress('0xb37866a925bccd69cfa98d43b510f1d23d78a851');
  const ordered = orderProposers([second, first], 'qbft');

  it.each([
    ['roundRobin', first, 0, second],
    ['roundRobin', first, 3, first],
    ['roundRobin', ZERO_ADDRESS, 3, second],
    ['sticky', first, 0, first],
    ['sticky', first, 1, second],
    ['sticky', ZERO_ADDRESS, 3, second],
    // An author that was voted out counts as the first.
    ['roundRobin', parseAddress(`0x${'ff'.repeat(20)}`), 0, second],
  ] as const)('%s after %s in round %i is %s', (policy, lastAuthor, round, proposer) => {
    expect(proposerOf(ordered, { lastAuthor, round, policy })).toBe(proposer);
  });

  it('is undefined in an empty set', () => {
    expect(proposerOf([], { lastAuthor: ZERO_ADDRESS, round: 0, policy: 'sticky' })).toBeUndefined();
  });
});

describe('the time-out of a round', () => {
  const timeouts = (format: 'qbft' | 'ibft', requestTimeoutMs: number, maxRequestTimeoutMs = 0) =>
    [0, 1, 2, 3, 0xffffffff].map((round) =>
      roundTimeoutMs({ format, requestTimeoutMs, maxRequestTimeoutMs }, round),
    );

  it('doubles in QBFT, up to the cap', () => {
    expect(timeouts('qbft', 10_000, 70_000)).toEqual([10_000, 20_000, 40_000, 70_000, 70_000]);
  });

  it('has 2^round seconds added in IBFT, up to the cap', () => {
    expect(timeouts('ibft', 10_000, 70_000)).toEqual([10_000, 12_000, 14_000, 18_000, 70_000]);
  });

  it('is capped at a minute on chains without a cap, but never below the request time-out', () => {
    expect(timeouts('qbft', 10_000)).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(timeouts('qbft', 90_000)).toEqual([90_000, 90_000, 90_000, 90_000, 90_000]);
  });
});
