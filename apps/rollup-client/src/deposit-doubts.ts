import { decimalsOf, readDepositQueue, type RollupContract, type RollupToken } from '@tetrad/rollup-client';
import { doubtOfQueue, doubtOfUnit } from './doubts.js';

/**
 * Doubts about what the operator made of a unit, and of the queue: both may change after the contract was verified.
 *
 * @param contract - that takes the deposits
 * @param tokens - that are deposited
 * @returns absent ones are undefined
 * @throws as `readDepositQueue`
 */
export async function doubtsOfDeposit(
  contract: RollupContract,
  tokens: readonly RollupToken[],
): Promise<readonly (string | undefined)[]> {
  const doubts: (string | undefined)[] = [];
  for (const token of tokens) {
    const decimals = token.id === 0 ? undefined : await decimalsOf(contract.client, token.address);
    doubts.push(doubtOfUnit(token, decimals));
  }
  if (contract.exitRules === 'freeze') doubts.push(doubtOfQueue(await readDepositQueue(contract)));
  return doubts;
}
