import { describe, expect, it } from '@jest/globals';
import { createRateLimiter } from './rate-limiter.js';

describe('the rate limit', () => {
  it('is off without a number', () => {
    expect(createRateLimiter(undefined)).toBeUndefined();
    expect(createRateLimiter(0)).toBeUndefined();
  });

  it('admits a second’s worth immediately and then refuses, each address for itself', () => {
    const limiter = createRateLimiter(0.001);
    const burst = createRateLimiter(3);
    expect(limiter?.admits('10.0.0.1')).toBe(false);
    expect([1, 2, 3, 4].map(() => burst?.admits('10.0.0.1'))).toEqual([true, true, true, false]);
    expect(burst?.admits('10.0.0.2')).toBe(true);
  });

  it('does not hold for loopback', () => {
    const limiter = createRateLimiter(0.001);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(limiter?.admits(address)).toBe(true);
    }
  });
});
