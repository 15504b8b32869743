const DAY_SECONDS = 86_400;

/**
 * Above the harmonic number of 2^28, the most accounts that there can be, each of which has one open request: an operator that is so
 * many times as fast as requests gain their shares, and makes the one with the largest share first, never lets one gain a whole
 * operation (docs/adr/0241).
 */
export const SPEED_OF_REQUESTS = 21;

/** Part of an operator's places that demands do not take while something else waits: they cost nothing but gas. */
export const PART_OF_ACCEPTED = 0.25;

/** At most so many operations that others can demand in a time, and the tokens that there are. */
export interface ServingTerms {
  readonly stallTimeoutSeconds: number;
  /** Requests per timeout of each token. */
  readonly requestsPerTimeout: number;
  readonly depositsPerTimeout: number;
  readonly tokens: number;
}

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
 * How many operations an operator must be able to make in all, so that what others demand leaves what is accepted its part.
 *
 * @param terms - what the contract was deployed with, and how many tokens it has
 * @returns operations within a time-out
 */
export function capacityPerTimeout(terms: Parameters<typeof operationsPerTimeout>[0]): number {
  return Math.ceil(operationsPerTimeout(terms) / (1 - PART_OF_ACCEPTED));
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
