import { InvalidBlockError } from '@tetrad/node-block';
import type { ConsensusSettings } from './consensus-settings.js';

type LeastGasLimit = Pick<ConsensusSettings, 'leastGasLimit'>;

/** The gas limit of the next block: that of its parent, or the minimum of a transition. */
export function nextGasLimit(parent: bigint, { leastGasLimit = 0n }: LeastGasLimit): bigint {
  return parent > leastGasLimit ? parent : leastGasLimit;
}

/**
 * A block's gas limit may change by less than a 1,024th (Yellow Paper, section 4.3.4), or rise to the minimum.
 *
 * Fails: InvalidBlockError
 */
export function assertGasLimit(limit: bigint, parent: bigint, { leastGasLimit }: LeastGasLimit): void {
  if (limit === leastGasLimit && leastGasLimit > parent) return;
  const change = limit > parent ? limit - parent : parent - limit;
  if (change !== 0n && change >= parent / 1024n) throw new InvalidBlockError('invalid gas limit');
}
