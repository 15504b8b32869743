import type { BlockContext } from '@tetrad/node-execution';
import type { BlockHeader } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

/** The time of a header for forks by time. Units: seconds since the epoch */
export function secondsOf(
  rules: Pick<ConsensusRules, 'timeMsOf'>,
  header: Pick<BlockHeader, 'timestamp'>,
): number {
  return Math.floor(rules.timeMsOf(header) / 1000);
}

/** The time of a header for execution; `evmTimestamp` is set where TIMESTAMP does not return seconds. */
export function blockTimes(
  rules: Pick<ConsensusRules, 'timeMsOf'>,
  header: Pick<BlockHeader, 'timestamp'>,
): Pick<BlockContext, 'timestamp' | 'evmTimestamp'> {
  const timestamp = secondsOf(rules, header);
  return BigInt(timestamp) === header.timestamp
    ? { timestamp }
    : { timestamp, evmTimestamp: header.timestamp };
}
