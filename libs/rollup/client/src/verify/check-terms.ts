import type { DeploymentTerms } from '@tetrad/rollup-chain';

const DAY = 86_400n;
/** An operator that does nothing is frozen after it. */
const LONGEST_TIMEOUT = 30n * DAY;
/** For a request of a thousandth of a token. */
const LONGEST_WINDOW = 365n * DAY;

/** For a deposit behind a thousand others. */
const LONGEST_QUEUE = 365n * DAY;
/** In wei. */
const LARGEST_MINIMUM = 10n ** 18n;

/**
 * What may be in the terms of a contract against those who pay into it, although its code is that of a release.
 *
 * @param terms - with which it was deployed
 * @returns doubts in words, none for usual terms
 */
export function doubtsOfTerms(terms: DeploymentTerms): string[] {
  const { stallTimeout, requestsPerTimeout, depositsPerTimeout, minDeposit, etherUnit } = terms;
  const doubts: string[] = [];
  if (stallTimeout > LONGEST_TIMEOUT)
    doubts.push(
      `the operator may do nothing for ${stallTimeout / DAY} days before anyone can leave without it (stallTimeout)`,
    );
  if (minDeposit * etherUnit > LARGEST_MINIMUM)
    doubts.push(
      `the contract takes no request of less than ${minDeposit} units, which are ${minDeposit * etherUnit} wei (minDeposit)`,
    );
  const window = partOf(stallTimeout, requestsPerTimeout);
  if (window > LONGEST_WINDOW)
    doubts.push(
      `the operator may leave a request for a thousandth of a token open for ${window / DAY} days (requestsPerTimeout)`,
    );
  const queue = partOf(stallTimeout, depositsPerTimeout);
  if (queue > LONGEST_QUEUE)
    doubts.push(
      `the operator may leave a deposit behind a thousand others for ${queue / DAY} days (depositsPerTimeout)`,
    );
  return doubts;
}

/** Seconds for a thousand of which so many are served in the time-out; none of a contract with turns. */
const partOf = (stallTimeout: bigint, served: bigint | undefined): bigint =>
  served === undefined ? 0n : (stallTimeout * 1_000n) / served;
