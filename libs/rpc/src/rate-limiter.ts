import { LRUCache } from 'lru-cache';
import { isLoopback } from './loopback.js';

interface Bucket {
  tokens: number;
  refilledMs: number;
}

/** Addresses that are remembered at a time. */
const MAX_ADDRESSES = 10_000;

/** In: perSecond — bodies of one address; none, or 0, for no limit */
export function createRateLimiter(perSecond: number | undefined): RateLimiter | undefined {
  return perSecond === undefined || perSecond === 0 ? undefined : new RateLimiter(perSecond);
}

/** A token bucket per client address: a second's worth may come at once. Loopback is never limited. */
export class RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES });

  constructor(private readonly perSecond: number) {}

  admits(address: string): boolean {
    if (isLoopback(address)) return true;
    const now = performance.now();
    const bucket = this.buckets.get(address) ?? { tokens: this.perSecond, refilledMs: now };
    const refill = ((now - bucket.refilledMs) / 1000) * this.perSecond;
    bucket.tokens = Math.min(this.perSecond, bucket.tokens + refill);
    bucket.refilledMs = now;
    this.buckets.set(address, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
