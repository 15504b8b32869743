import { describe, expect, it } from '@jest/globals';
import { deployedTerms } from '@tetrad/rollup-chain';
import { OperatorError } from '@tetrad/types';
import { assertFitsBlock, assertServes, shortestTimeout, slowestBatch } from './promised-speed.js';

const DAY = 86_400;
const defaults = deployedTerms({ stallTimeoutSeconds: DAY });
/** The slowest public chains, and a proof that one core makes in a sixth of it. */
const usual = { batchSize: 2, proofSeconds: 10, provers: 1, sizes: 2, blockSeconds: 12 };

describe('what an operator serves', () => {
  it('is more than the defaults promise, with one prover of batches of two and a block in 12 s', () => {
    assertServes(defaults, usual);
    expect(slowestBatch(defaults, usual.batchSize)).toBe(16.615);
    // A quarter of the blocks may be missed.
    expect(usual.blockSeconds / slowestBatch(defaults, usual.batchSize)).toBeLessThan(0.75);
  });

  it.each([DAY, DAY / 24, 7 * DAY, 365 * DAY])(
    'is enough for the defaults of a time-out of %i s',
    (timeout) => {
      const terms = deployedTerms({ stallTimeoutSeconds: timeout });
      const speed = { ...usual, proofSeconds: 2, blockSeconds: 2 };
      assertServes(terms, speed);
    },
  );

  it('is exactly what is promised at the slowest', () => {
    const slowest = slowestBatch(defaults, 2);
    assertServes(defaults, { ...usual, proofSeconds: slowest });
    assertServes(defaults, { ...usual, proofSeconds: 2 * slowest, provers: 2 });
  });

  it.each([
    ['a slower proof', { ...usual, proofSeconds: 16.7 }, defaults],
    ['a slower chain', { ...usual, blockSeconds: 16.7 }, defaults],
    ['a slower chain, however many provers', { ...usual, blockSeconds: 16.7, provers: 100 }, defaults],
    ['smaller batches', { ...usual, batchSize: 1 }, defaults],
    ['another token', { ...usual, proofSeconds: 16.5 }, { ...defaults, tokens: 2 }],
  ])('is refused with %s', (_, speed, asked) => {
    expect(() => assertServes(asked, speed)).toThrow(OperatorError);
    expect(() => assertServes(asked, speed)).toThrow(
      /\d+ are needed, of which others may demand \d+: add provers/,
    );
  });

  it('is refused when a request waits behind batches for a larger part of the time-out', () => {
    const shortest = shortestTimeout(usual);
    const terms = (stallTimeoutSeconds: number) => ({
      ...defaults,
      stallTimeoutSeconds,
      requestsPerTimeout: 1,
      depositsPerTimeout: 1,
    });
    assertServes(terms(shortest), usual);
    expect(() => assertServes(terms(shortest - 1), usual)).toThrow(/need a --stall-timeout of \d+ s or more/);
  });

  it('is nothing when a block has less gas than a batch that holders can fill', () => {
    assertFitsBlock(32, 30_000_000n);
    assertFitsBlock(2, 6_660_000n);
    assertFitsBlock(4_096, undefined);
    expect(() => assertFitsBlock(2, 6_659_999n)).toThrow(
      '--batch-sizes: a batch of 2 that pays tokens needs 6660000 gas, and a block of this chain has 6659999',
    );
    expect(() => assertFitsBlock(128, 30_000_000n)).toThrow(OperatorError);
  });
});
