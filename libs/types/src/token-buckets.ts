import { keepNewest } from './keep-newest.js';
import { fullBucket, takeTokens, type BucketRate, type TokenBucket } from './token-bucket.js';

/** A bucket for each of those that ask; of more than `max`, those that asked longest ago have full ones again. */
export class TokenBuckets<Key> {
  private readonly buckets = new Map<Key, TokenBucket>();

  constructor(
    private readonly rate: BucketRate,
    private readonly max: number,
  ) {}

  /** Takes a token; false when there is none. */
  take(key: Key, nowMs: number): boolean {
    const bucket = this.buckets.get(key) ?? fullBucket(this.rate, nowMs);
    const taken = takeTokens(bucket, this.rate, { amount: 1, nowMs });
    this.buckets.delete(key);
    this.buckets.set(key, taken ?? bucket);
    keepNewest(this.buckets, this.max);
    return taken !== undefined;
  }
}
