import { fullBucket, takeTokens, type BucketRate, type TokenBucket } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { isLoopback } from './loopback.js';

/** Addresses that are remembered at a time. */
const MAX_ADDRESSES = 10_000;

/** @param perSecond - calls of one address; none, or 0, for no limit */
export function createRateLimiter(perSecond: number | undefined): RateLimiter | undefined {
  return perSecond === undefined || perSecond === 0 ? undefined : new RateLimiter(perSecond);
}

/** A token bucket per client address: a second's worth may come at once. Loopback is never limited. */
export class RateLimiter {
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
  private readonly rate: BucketRate;

  constructor(perSecond: number) {
    this.rate = { perSecond, burst: perSecond };
  }

  admits(address: string): boolean {
    if (isLoopback(address)) return true;
    const nowMs = performance.now();
    const bucket = this.buckets.get(address) ?? fullBucket(this.rate, nowMs);
    const taken = takeTokens(bucket, this.rate, { amount: 1, nowMs });
    this.buckets.set(address, taken ?? bucket);
    return taken !== undefined;
  }
}
