import type { BlockHeader } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

/** The time of a header as the EVM and forks by time see it. Units: seconds since the epoch */
export function secondsOf(
  rules: Pick<ConsensusRules, 'timeMsOf'>,
  header: Pick<BlockHeader, 'timestamp'>,
): number {
  return Math.floor(rules.timeMsOf(header) / 1000);
}
