const DAY_SECONDS = 86_400;

/**
 * Above the harmonic number of 2^28, the most accounts that there can be, each of which has one open request: an operator that is so
 * many times as fast as requests gain their shares, and makes the one with the largest share first, never lets one gain a whole
 * operation (docs/adr/0241).
 */
const SPEED_OF_REQUESTS = 21;

/**
 * How many operations an operator must be able to make for others' demands within a time-out, so that its rollup cannot be frozen
 * while it works.
 *
 * @param terms - what the contract was deployed with, and how many tokens it has
 * @returns operations of requests and of deposits together
 */
export function operationsPerTimeout({
  requestsPerTimeout,
  depositsPerTimeout,
  tokens,
}: {
  readonly requestsPerTimeout: number;
  readonly depositsPerTimeout: number;
  readonly tokens: number;
}): number {
  return SPEED_OF_REQUESTS * requestsPerTimeout * tokens + depositsPerTimeout;
}

/**
 * A rate by the day as one by the time-out.
 *
 * @param operationsADay - operations in a day
 * @param stallTimeoutSeconds - the time-out
 * @returns at least one
 */
export function ratePerTimeout(operationsADay: number, stallTimeoutSeconds: number): number {
  return Math.max(1, Math.floor((stallTimeoutSeconds * operationsADay) / DAY_SECONDS));
}
