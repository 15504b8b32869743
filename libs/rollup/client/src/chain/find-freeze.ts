import { readFreeze, type EthereumClient, type FreezeHistory, type RollupCodec } from '@tetrad/rollup-chain';
import type { Address } from '@tetrad/types';
import { findEvent } from './find-event.js';

/**
 * Finds who froze a contract, and who had announced it.
 *
 * @param contract - which is frozen
 * @param fromBlock - the block of its creation, or an earlier one
 * @returns undefined when the client does not show it
 * @throws ChainUnavailableError; ChainRpcError
 */
export async function findFreeze(
  {
    client,
    address,
    codec,
  }: {
    readonly client: EthereumClient;
    readonly address: Address;
    readonly codec: RollupCodec;
  },
  fromBlock: number,
): Promise<FreezeHistory | undefined> {
  const toBlock = await client.blockNumber();
  const log = await findEvent({ client, address }, [codec.frozenTopic], { fromBlock, toBlock });
  return log && readFreeze({ client, codec, contract: address }, log.transactionHash, fromBlock);
}
