import { describe, expect, it } from '@jest/globals';
import { backOffMs, spreadMs, fullBucket, takeTokens } from '@tetrad/types';
import fc from 'fast-check';
import { BAN_POINTS, INITIAL_SCORE, PENALTIES, banLengthMs, scoreAt, withPenalty } from './peer-score.js';
import {
  INITIAL_PEER_STATE,
  LASTING_MS,
  nextPeerState,
  type PeerEvent,
  type PeerState,
} from './peer-state.js';
import { RateLimit } from './rate-limit.js';

const delayMs = (failures: number) => failures * 100;
const at = (nowMs: number) => ({
  dialled: { kind: 'dialled' } as const,
  established: { kind: 'established', nowMs } as const,
  failed: { kind: 'failed', nowMs, delayMs } as const,
  left: { kind: 'left', nowMs, delayMs: 50 } as const,
  banned: { kind: 'banned', untilMs: 9_000 } as const,
  tick: { kind: 'tick', nowMs } as const,
});

describe('the state of a connection', () => {
  const idle: PeerState = { kind: 'idle', failures: 2 };
  const connecting: PeerState = { kind: 'connecting', failures: 2 };
  const connected: PeerState = { kind: 'connected', failures: 2, sinceMs: 1_000 };
  const backingOff: PeerState = { kind: 'backing off', failures: 2, untilMs: 2_000 };
  const banned: PeerState = { kind: 'banned', untilMs: 8_000 };
  const now = at(1_500);
  const failed = { kind: 'backing off', failures: 3, untilMs: 1_800 };
  const left = { kind: 'backing off', failures: 2, untilMs: 1_550 };
  const cut = { kind: 'banned', untilMs: 9_000 };
  const up = { kind: 'connected', failures: 2, sinceMs: 1_500 };

  it.each<[string, PeerState, PeerEvent, object]>([
    ['idle, dialled', idle, now.dialled, connecting],
    ['idle, established', idle, now.established, up],
    ['idle, failed', idle, now.failed, failed],
    ['idle, left', idle, now.left, left],
    ['idle, banned', idle, now.banned, cut],
    ['idle, tick', idle, now.tick, idle],
    ['connecting, dialled', connecting, now.dialled, connecting],
    ['connecting, established', connecting, now.established, up],
    ['connecting, failed', connecting, now.failed, failed],
    ['connecting, left', connecting, now.left, left],
    ['connecting, banned', connecting, now.banned, cut],
    ['connecting, tick', connecting, now.tick, connecting],
    ['connected, dialled', connected, now.dialled, connected],
    ['connected, established', connected, now.established, connected],
    ['connected, failed', connected, now.failed, failed],
    ['connected, left', connected, now.left, left],
    ['connected, banned', connected, now.banned, cut],
    ['connected, tick', connected, now.tick, connected],
    ['backing off, dialled', backingOff, now.dialled, backingOff],
    ['backing off, established', backingOff, now.established, up],
    ['backing off, failed', backingOff, now.failed, backingOff],
    ['backing off, left', backingOff, now.left, backingOff],
    ['backing off, banned', backingOff, now.banned, cut],
    ['backing off, tick', backingOff, now.tick, backingOff],
    ['backing off, tick when it is over', backingOff, at(2_000).tick, idle],
    ['banned, dialled', banned, now.dialled, banned],
    ['banned, established', banned, now.established, banned],
    ['banned, failed', banned, now.failed, banned],
    ['banned, left', banned, now.left, banned],
    ['banned, banned for longer', banned, now.banned, cut],
    ['banned, tick', banned, now.tick, banned],
    ['banned, tick when it is over', banned, at(8_000).tick, INITIAL_PEER_STATE],
  ])('%s', (_, state, event, expected) => {
    expect(nextPeerState(state, event)).toEqual(expected);
  });

  it('forgets failures once a connection lasted', () => {
    const later = at(1_000 + LASTING_MS);
    expect(nextPeerState(connected, later.failed)).toMatchObject({ failures: 1 });
    expect(nextPeerState(connected, later.left)).toMatchObject({ failures: 0 });
  });
});

describe('waiting between attempts', () => {
  it('doubles to the cap and is spread over the second half of each step', () => {
    const rule = { firstMs: 250, maxMs: 8_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const step = Math.min(8_000, 250 * 2 ** (failures - 1));
          const delay = spreadMs(backOffMs(failures, rule), random);
          expect(delay).toBeGreaterThanOrEqual(step / 2);
          expect(delay).toBeLessThanOrEqual(step);
        },
      ),
    );
    expect([1, 2, 3, 6, 7].map((failures) => spreadMs(backOffMs(failures, rule), 0))).toEqual([
      125, 250, 500, 4_000, 4_000,
    ]);
  });
});

describe('score', () => {
  it('adds up to a cut-off', () => {
    let score = INITIAL_SCORE;
    for (let times = 0; times < 4; times++) score = withPenalty(score, 'invalid transaction', 1_000);
    expect(score.points).toBe(4 * PENALTIES['invalid transaction']);
    expect(score.points).toBeGreaterThanOrEqual(BAN_POINTS);
    expect(withPenalty(INITIAL_SCORE, 'invalid block', 0).points).toBeGreaterThanOrEqual(BAN_POINTS);
  });

  it('is forgiven by a point a second, and never better than good', () => {
    const score = withPenalty(INITIAL_SCORE, 'late answer', 5_000);
    expect(scoreAt(score, 8_000).points).toBe(7);
    expect(scoreAt(score, 4_000).points).toBe(10);
    expect(scoreAt(score, 1e9).points).toBe(0);
  });

  it('makes each cut-off twice as long, to a cap', () => {
    const rule = { banMs: 60_000, banCapMs: 3_600_000 };
    expect([0, 1, 5, 6, 1_000].map((bans) => banLengthMs(bans, rule))).toEqual([
      60_000, 120_000, 1_920_000, 3_600_000, 3_600_000,
    ]);
  });
});

describe('a token bucket', () => {
  const rate = { perSecond: 10, burst: 20 };

  it('grants no more than its burst and the refill since', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ waitMs: fc.nat(500), amount: fc.integer({ min: 1, max: 8 }) }), {
          maxLength: 80,
        }),
        (takes) => {
          let [bucket, nowMs, taken] = [fullBucket(rate, 0), 0, 0];
          for (const { waitMs, amount } of takes) {
            nowMs += waitMs;
            const next = takeTokens(bucket, rate, { amount, nowMs });
            if (next === undefined) continue;
            bucket = next;
            taken += amount;
          }
          expect(taken).toBeLessThanOrEqual(rate.burst + (nowMs / 1_000) * rate.perSecond + 1e-6);
        },
      ),
    );
  });

  it('is not filled by a clock that is set back', () => {
    const empty =
      takeTokens(fullBucket(rate, 1_000), rate, { amount: 20, nowMs: 1_000 }) ?? fullBucket(rate, 0);
    expect(takeTokens(empty, rate, { amount: 1, nowMs: 0 })).toBeUndefined();
    expect(takeTokens(empty, rate, { amount: 1, nowMs: 1_100 })).toEqual({ tokens: 0, atMs: 1_100 });
  });

  it('holds ten seconds of a rate', () => {
    let nowMs = 0;
    const limit = new RateLimit(5, () => nowMs);
    expect(limit.take(50)).toBe(true);
    expect(limit.take()).toBe(false);
    nowMs = 200;
    expect(limit.take()).toBe(true);
    expect(limit.take()).toBe(false);
  });
});
