import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replaces, requestWindow } from './request-window.js';

const rates = fc.record({
  stallTimeout: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
  requestsPerTimeout: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
});
const part = fc
  .bigInt({ min: 1n, max: 2n ** 64n - 1n })
  .chain((held) => fc.record({ held: fc.constant(held), amount: fc.bigInt({ min: 1n, max: held }) }));

describe('the window of a request', () => {
  it('is the time-out, or the time in which its part of the token has its share', () => {
    fc.assert(
      fc.property(part, rates, ({ amount, held }, given) => {
        const window = requestWindow({ amount, held }, given);
        const { stallTimeout, requestsPerTimeout } = given;
        expect(window).toBeGreaterThanOrEqual(stallTimeout);
        const gained = (seconds: bigint) => seconds * requestsPerTimeout * amount;
        expect(gained(window)).toBeGreaterThanOrEqual(stallTimeout * held);
        if (window > stallTimeout) expect(gained(window - 1n)).toBeLessThan(stallTimeout * held);
      }),
    );
  });

  it('is that of the table of docs/adr/0241', () => {
    const given = { stallTimeout: 86_400n, requestsPerTimeout: 300n };
    const days = (held: bigint) => Number(requestWindow({ amount: 1n, held }, given)) / 86_400;
    expect([300n, 3_000n, 30_000n].map(days)).toEqual([1, 10, 100]);
  });

  it('is a third of what is left of the open one where it takes its place', () => {
    expect(replaces(100n, 300)).toBe(true);
    expect(replaces(100n, 299.5)).toBe(false);
    expect(replaces(100n, -5)).toBe(false);
  });
});
