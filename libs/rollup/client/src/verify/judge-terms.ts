import type { DeploymentTerms } from '@tetrad/rollup-chain';

const DAY = 86_400n;
/** An operator that does nothing is frozen after it. */
const LONGEST_TIMEOUT = 30n * DAY;
/** For a request of a thousandth of a token. */
const LONGEST_WINDOW = 365n * DAY;

/**
 * What may be in the terms of a contract against those who pay into it, although its code is that of a release.
 *
 * @param terms - with which it was deployed
 * @returns doubts in words, none for usual terms
 */
export function doubtsOfTerms({ stallTimeout, requestsPerTimeout }: DeploymentTerms): string[] {
  const doubts: string[] = [];
  if (stallTimeout > LONGEST_TIMEOUT)
    doubts.push(
      `the operator may do nothing for ${stallTimeout / DAY} days before anyone can leave without it (stallTimeout)`,
    );
  if (requestsPerTimeout === undefined) return doubts;
  const window = (stallTimeout * 1_000n) / requestsPerTimeout;
  if (window > LONGEST_WINDOW)
    doubts.push(
      `the operator may leave a request for a thousandth of a token open for ${window / DAY} days (requestsPerTimeout)`,
    );
  return doubts;
}
