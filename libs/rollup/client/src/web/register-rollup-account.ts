import { registerAccount } from '../account/rollup-account.js';
import type { ChainClient } from './chain-client.js';
import { keysOf } from './holder-keys.js';
import type { RollupHolder } from './rollup-holder.js';
import { reachRollup } from './reach-rollup.js';
import type { RollupPlace } from './rollup-place.js';

/** What the operator says to the request for an account. */
export type RegisteredStatus =
  | 'REGISTERED'
  | 'PUBLIC_KEY_ALREADY_EXISTS'
  | 'INVALID_PUBLIC_KEY'
  | 'INVALID_JOINT_ENCRYPTION_KEY'
  | 'INVALID_ENCRYPTION'
  | 'INVALID_SIGNATURE';

/**
 * Asks the operator for an account; it can be opened once its batch is final.
 *
 * @param client - of the chain that has the contract
 * @param parameters - the rollup and the holder
 * @returns what it says
 * @throws RpcCallError when the operator refuses; as `reachRollup`
 */
export async function registerRollupAccount(
  client: ChainClient,
  parameters: RollupPlace & { readonly holder: RollupHolder },
): Promise<RegisteredStatus> {
  const keys = keysOf(parameters.holder);
  const { operator, contract } = await reachRollup(client, parameters);
  return registerAccount(operator, contract, keys);
}
