import { fullBucket, takeTokens, type BucketRate, type TokenBucket } from '@tetrad/types';

/** Seconds of the sustained rate that may come at once. */
const BURST_SECONDS = 10;

/** A token bucket with its clock. */
export class RateLimit {
  private readonly rate: BucketRate;
  private bucket: TokenBucket;

  constructor(
    perSecond: number,
    private readonly now: () => number,
    burstSeconds = BURST_SECONDS,
  ) {
    this.rate = { perSecond, burst: perSecond * burstSeconds };
    this.bucket = fullBucket(this.rate, now());
  }

  /** Whether the amount is within the limit; a refused amount is not deducted. */
  take(amount = 1): boolean {
    const taken = takeTokens(this.bucket, this.rate, { amount, nowMs: this.now() });
    if (taken !== undefined) this.bucket = taken;
    return taken !== undefined;
  }
}
