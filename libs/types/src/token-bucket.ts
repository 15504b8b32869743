/** The tokens left in a bucket, and the time of that count. */
export interface TokenBucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Tokens per second, and how many gather when none are taken. */
export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}

export function fullBucket({ burst }: BucketRate, nowMs: number): TokenBucket {
  return { tokens: burst, atMs: nowMs };
}

/** The bucket after taking so many tokens; undefined, and nothing taken, when it holds fewer. */
export function takeTokens(
  bucket: TokenBucket,
  rate: BucketRate,
  { amount, nowMs }: { amount: number; nowMs: number },
): TokenBucket | undefined {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(rate.burst, bucket.tokens + (elapsedMs / 1_000) * rate.perSecond);
  return tokens < amount ? undefined : { tokens: tokens - amount, atMs: Math.max(nowMs, bucket.atMs) };
}
