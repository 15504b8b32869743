import { RULES, type ExecutionRules } from '@tetrad/node-agreement';
import { FORK_NAMES } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import type { Privacy } from './open-privacy.js';

/** Of EIP-170, where the genesis file has no other. Units: bytes */
const MAX_CODE_SIZE = 24_576;

/**
 * By which rules this node executes private transactions of a block: what may differ between nodes on one chain, and changes their
 * results. Source: docs/spec/agreement-statements.md#rules
 *
 * @throws Error for a block that is not stored
 */
export function executionRules(
  ledger: Pick<Ledger, 'findHeader' | 'executor' | 'secondsOf'>,
  { switchesAt }: Pick<Privacy, 'switchesAt'>,
): (block: number) => Promise<ExecutionRules> {
  return async (number) => {
    const found = await ledger.findHeader(number);
    if (found === undefined) throw new Error(`block ${number} is not stored`);
    const timestamp = ledger.secondsOf(found.header);
    const { fork, maxCodeSize = MAX_CODE_SIZE } = ledger.executor.rules({ number, timestamp });
    const { enhancements, markers } = switchesAt(number);
    return new Map<number, number>([
      [RULES.fork, FORK_NAMES.indexOf(fork)],
      [RULES.maxCodeSize, maxCodeSize],
      [RULES.privacyFlags, Number(enhancements)],
      [RULES.markers, Number(markers)],
    ]);
  };
}
