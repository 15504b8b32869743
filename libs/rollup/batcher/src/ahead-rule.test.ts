import { describe, expect, it } from '@jest/globals';
import { parseHash } from '@tetrad/types';
import { aheadStep, type FollowingBatch, type SentBatch } from './ahead-rule.js';

const attempt = {
  hash: parseHash(`0x${'11'.repeat(32)}`),
  nonce: 7,
  sentAt: 0,
  maxFee: 1n,
  maxPriorityFee: 1n,
  isKnown: true,
  isOutdated: false,
};
const before: SentBatch = { nextStateRoot: 5n, attempts: [attempt], failures: 0 };
const batch: FollowingBatch = { previousStateRoot: 5n, attempts: [], failures: 0 };
const sent = (nonce: number, isKnown = true) => ({ ...batch, attempts: [{ ...attempt, nonce, isKnown }] });
const outdated = { ...attempt, nonce: 8, isOutdated: true };

describe('a batch behind one that was sent', () => {
  it('is sent with the next nonce, once, and lets one behind it be sent', () => {
    expect(aheadStep(before, batch)).toEqual({ do: 'send', nonce: 8 });
    expect(aheadStep(before, sent(8))).toEqual({ do: 'pass' });
  });

  it('has the nonce behind the last transaction of the one before', () => {
    const replaced = { ...before, attempts: [{ ...attempt, isKnown: false }, attempt] };
    expect(aheadStep(replaced, batch)).toEqual({ do: 'send', nonce: 8 });
    const mined = { ...before, attempts: [{ ...attempt, succeeded: true }] };
    expect(aheadStep(mined, batch)).toEqual({ do: 'send', nonce: 8 });
  });

  it.each<[string, SentBatch, FollowingBatch]>([
    ['was not sent', { ...before, attempts: [] }, batch],
    ['is lost', { ...before, attempts: [{ ...attempt, isKnown: false }] }, batch],
    ['was mined without effect', { ...before, attempts: [{ ...attempt, succeeded: false }] }, batch],
    ['was taken back and made anew', { ...before, attempts: [{ ...attempt, isOutdated: true }] }, batch],
    ['failed once', { ...before, failures: 1 }, batch],
    ['has another state', { ...before, nextStateRoot: 6n }, batch],
    ['is right, and it failed itself', before, { ...batch, failures: 1 }],
    ['is right, and its own transaction has another nonce', before, sent(9)],
    ['is right, and its own transaction is lost', before, sent(8, false)],
    ['is right, and its own transaction carries another batch', before, { ...batch, attempts: [outdated] }],
  ])('waits when the one before %s', (_, first, second) => {
    expect(aheadStep(first, second)).toEqual({ do: 'stop' });
  });
});
