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
  if (!isAddress(place.contract)) throw new OperatorError('contract: must be an address');
  const chain = new EthereumClient(askingOf(client));
  const contract = await RollupContract.open(chain, parseAddress(place.contract));
  return { contract, operator: connectOperator(place.operatorUrl, { headers: place.headers }) };
}
