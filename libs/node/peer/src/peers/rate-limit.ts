import { fullBucket, takeTokens, type BucketRate, type TokenBucket } from '@tetrad/types';

/** Seconds of the sustained rate that may come at once. */
const BURST_SECONDS = 10;

/** A bucket with the clock it runs by. */
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

  /** Whether so much is within the limit; what is not costs nothing. */
  take(amount = 1): boolean {
    const taken = takeTokens(this.bucket, this.rate, { amount, nowMs: this.now() });
    if (taken !== undefined) this.bucket = taken;
    return taken !== undefined;
  }
}
