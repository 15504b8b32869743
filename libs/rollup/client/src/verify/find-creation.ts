import { RollupCodec, createdAddress, type EthereumLog } from '@tetrad/rollup-chain';
import { ZERO_HASH, type Address, type Hash } from '@tetrad/types';
import { findEvent } from '../chain/find-event.js';
import type { ChainSnapshot } from './chain-snapshot.js';
import { UnverifiedContractError } from './unverified-contract.js';

/** The transaction that created a contract. */
export interface Creation {
  readonly hash: Hash;
  readonly blockNumber: number;
  readonly from: Address;
  readonly nonce: number;
  readonly input: Uint8Array;
}

/**
 * Finds how a contract was created, by the event that its constructor leaves. Code on the chain does not say what a
 * constructor wrote into the state: another constructor may leave the same code over another state.
 *
 * @param snapshot - the chain
 * @param address - of a contract whose code is that of a rollup
 * @param fromBlock - the block of its creation, or an earlier one
 * @returns the transaction, which created this contract by itself
 * @throws UnverifiedContractError where there is none; ChainRpcError, ChainUnavailableError
 */
export async function findCreation(
  snapshot: ChainSnapshot,
  address: Address,
  fromBlock: number,
): Promise<Creation> {
  const fail = (difference: string) => new UnverifiedContractError(address, [difference]);
  const log = await firstEvent(snapshot, address, fromBlock);
  if (log === undefined)
    throw fail(
      `the client has no event of its creation from block ${fromBlock} on; --from-block says where to look`,
    );
  const { transactionHash: hash, blockNumber } = log;
  const { from, to, nonce, input } = (await snapshot.client.transaction(hash)) ?? {};
  if (!isGiven(from) || !isGiven(nonce) || !isGiven(input))
    throw fail(`the client does not have ${hash}, the transaction that created it; ask one that has`);
  if (isGiven(to) || createdAddress(from, nonce) !== address)
    throw fail(`its creation: another contract created it, in ${hash}, and may have written any state`);
  return { hash, blockNumber, from, nonce, input };
}

/** Clients leave a field out, or have null in it. */
function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

/** The first token, which is ether, is added by the constructor. */
async function firstEvent(
  { client, blockNumber }: ChainSnapshot,
  address: Address,
  fromBlock: number,
): Promise<EthereumLog | undefined> {
  const { abi } = new RollupCodec();
  const topics = [abi.getEvent('TokenAdded')?.topicHash as Hash, ZERO_HASH, ZERO_HASH];
  return findEvent({ client, address }, topics, { fromBlock, toBlock: blockNumber });
}
