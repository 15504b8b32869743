import type { RollupContract, RollupToken } from './rollup-contract.js';

/**
 * All tokens of a rollup, by id.
 *
 * @param contract - the rollup
 * @returns ether first
 * @throws as `RollupContract.token`
 */
export async function rollupTokens(
  contract: Pick<RollupContract, 'token' | 'tokenCount'>,
): Promise<readonly RollupToken[]> {
  const count = await contract.tokenCount();
  const tokens: RollupToken[] = [];
  for (let id = 0; id < count; id += 1) tokens.push(await contract.token(id));
  return tokens;
}
