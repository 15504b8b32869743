import { InvalidBlockError } from '@tetrad/node-block';
import type { ConsensusSettings } from './consensus-settings.js';

type LeastGasLimit = Pick<ConsensusSettings, 'leastGasLimit'>;

/** The gas limit of the next block: that of its parent, or the minimum of a transition. */
export function nextGasLimit(parent: bigint, { leastGasLimit = 0n }: LeastGasLimit): bigint {
  return parent > leastGasLimit ? parent : leastGasLimit;
}

/**
 * A proposal has the limit that every validator of ours gives its own: no other raises or lowers it again, so one that moved it by a
 * 1,024th in each of its turns would reach a limit that no transaction fits.
 * @throws InvalidBlockError
 */
export function assertProposedGasLimit(limit: bigint, parent: bigint, least: LeastGasLimit): void {
  if (limit !== nextGasLimit(parent, least)) throw new InvalidBlockError('invalid gas limit');
}

/**
 * A block's gas limit may change by less than a 1,024th (Yellow Paper, section 4.3.4), or rise to the minimum.
 * @throws InvalidBlockError
 */
export function assertGasLimit(limit: bigint, parent: bigint, { leastGasLimit }: LeastGasLimit): void {
  if (limit === leastGasLimit && leastGasLimit > parent) return;
  const change = limit > parent ? limit - parent : parent - limit;
  if (change !== 0n && change >= parent / 1024n) throw new InvalidBlockError('invalid gas limit');
}
