import { EthereumClient } from '@tetrad/rollup-chain';
import { OperatorError, isAddress, parseAddress } from '@tetrad/types';
import { RollupContract } from '../chain/rollup-contract.js';
import { connectOperator, type OperatorClient } from '../operator/operator-client.js';
import { askingOf } from './asking-client.js';
import type { ChainClient } from './chain-client.js';
import type { RollupPlace } from './rollup-place.js';

/** A rollup as it is reached. */
export interface ReachedRollup {
  readonly operator: OperatorClient;
  readonly contract: RollupContract;
}

/**
 * Reaches a rollup.
 *
 * @param client - of the chain that has the contract
 * @param place - operator and contract
 * @returns both
 * @throws OperatorError for an address that has no contract of a rollup; ChainRpcError; ChainUnavailableError
 */
export async function reachRollup(client: ChainClient, place: RollupPlace): Promise<ReachedRollup> {
  const contract = await reachContract(client, place);
  return { contract, operator: connectOperator(place.operatorUrl, { headers: place.headers }) };
}

/**
 * Reaches the contract of a rollup, without its operator.
 *
 * @param client - of the chain that has it
 * @param place - the contract
 * @returns the contract
 * @throws as `reachRollup`
 */
export function reachContract(
  client: ChainClient,
  { contract }: Pick<RollupPlace, 'contract'>,
): Promise<RollupContract> {
  if (!isAddress(contract)) throw new OperatorError('contract: must be an address');
  return RollupContract.open(new EthereumClient(askingOf(client)), parseAddress(contract));
}
