import type { RollupContract } from './rollup-contract.js';

/**
 * Whether no batch comes any more; contracts with turns do not freeze.
 *
 * @param contract - the rollup
 * @param block - the block, by default the latest
 * @throws as `RollupContract.values`
 */
export async function isFrozen(
  contract: Pick<RollupContract, 'exitRules' | 'values'>,
  block: number | 'latest' = 'latest',
): Promise<boolean> {
  return contract.exitRules === 'freeze' && (await contract.values('frozen', [], block))[0] === true;
}
