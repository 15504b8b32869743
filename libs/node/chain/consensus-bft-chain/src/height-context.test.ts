import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { turnOf } from './height-context.js';

const PERIOD = 250;

describe('the turn of a block', () => {
  it.each([
    ['in time', 1_000, 1_000],
    ['a little later', 1_040, 1_000],
    ['half a period later', 1_125, 1_000],
    ['later than that, which begins a new beat', 1_126, 1_126],
    ['much later, as after a pause without transactions', 9_000, 9_000],
    ['before it was due here, because another clock is ahead', 990, 990],
  ])('that was seen %s', (_, seenMs, turnMs) => {
    expect(turnOf({ dueMs: 1_000, seenMs }, PERIOD)).toBe(turnMs);
  });

  it('keeps blocks at the period, however long each takes and with any proposer, and never makes them faster', () => {
    const takes = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 8, maxLength: 40 });
    const clocks = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(takes, clocks, (delays, begins) => {
        let dueMs = begins;
        const first = Math.min(...begins);
        delays.forEach((delayMs, index) => {
          const proposedMs = dueMs[index % dueMs.length] as number;
          expect(proposedMs).toBeGreaterThanOrEqual(first + index * PERIOD);
          const seenMs = proposedMs + delayMs;
          dueMs = dueMs.map((due) => turnOf({ dueMs: due, seenMs }, PERIOD) + PERIOD);
        });
        if (delays.every((delayMs) => delayMs <= PERIOD / 2) && begins.length === 1)
          expect(dueMs[0]).toBe(first + delays.length * PERIOD);
      }),
    );
  });
});
