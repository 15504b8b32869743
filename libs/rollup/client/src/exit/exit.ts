import { OperatorError } from '@tetrad/types';
import { exitWithTurns } from '../turns/exit-with-turns.js';
import type { ExitOptions, PlannedTransfer } from './exit-options.js';
import { exitFreezingContract } from './exit-freezing-contract.js';
import { payOwed } from './pay-owed.js';

/**
 * Takes all that an account holds out of the rollup by the chain alone, by the rules that the contract has (docs/adr/0241, and
 * docs/adr/0215 for earlier contracts). It keeps nothing: after an interruption the next one continues where the chain is.
 *
 * @param options - the contract, the keys, and who is paid
 * @returns what the contract still owes, because a payment failed
 * @throws OperatorError for keys without an account, when it is aborted, for a choice of tokens of a contract with turns, or for
 *   answers that no contract gives; ContractRefusal and RevertedError for a refusal that does not pass; as `acceptedBatches`
 */
export async function exitRollup(options: ExitOptions): Promise<readonly PlannedTransfer[]> {
  if (options.contract.exitRules !== 'turns') return exitFreezingContract(options);
  if (options.tokens !== undefined)
    throw new OperatorError('a contract of an earlier version is left with all tokens at once');
  await exitWithTurns(options);
  return payOwed(options, options.recipient);
}
