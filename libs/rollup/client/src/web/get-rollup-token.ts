import type { ChainClient } from './chain-client.js';
import { reachRollup } from './reach-rollup.js';
import type { RollupPlace } from './rollup-place.js';

/** A token of the rollup. */
export interface TokenOfRollup {
  readonly tokenId: number;
  /** The zero address for ether. */
  readonly address: `0x${string}`;
  /** Base units of the token in one unit of the rollup. */
  readonly unit: bigint;
}

/**
 * What a token of the rollup is on the chain.
 *
 * @param client - of the chain that has the contract
 * @param parameters - the rollup, and the id of the token in it
 * @returns its address and unit
 * @throws OperatorError for an id that the rollup does not have; as `reachRollup`
 */
export async function getRollupToken(
  client: ChainClient,
  parameters: RollupPlace & { readonly tokenId: number },
): Promise<TokenOfRollup> {
  const { contract } = await reachRollup(client, parameters);
  const { id, address, unit } = await contract.token(parameters.tokenId);
  return { tokenId: id, address, unit };
}
