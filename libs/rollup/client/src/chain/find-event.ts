import { ChainRpcError, ChainUnavailableError, type EthereumLog } from '@tetrad/rollup-chain';
import type { Hash } from '@tetrad/types';
import { eventsOf, type EventRange } from './event-pages.js';
import type { RollupContract } from './rollup-contract.js';

/**
 * Finds an event of which the contract has one, or the first of several.
 *
 * @param contract - whose
 * @param topics - what its topics begin with
 * @param range - blocks in which it may be; most clients find it at once, however many there are
 * @returns undefined when there is none
 * @throws as `eventsOf`
 */
export async function findEvent(
  { client, address }: Pick<RollupContract, 'client' | 'address'>,
  topics: readonly Hash[],
  range: Pick<EventRange, 'fromBlock' | 'toBlock'>,
): Promise<EthereumLog | undefined> {
  const all = { from: range.fromBlock, to: range.toBlock };
  try {
    return (await client.logs(address, all, topics)).find((log) => log.address === address);
  } catch (error) {
    if (!(error instanceof ChainRpcError || error instanceof ChainUnavailableError)) throw error;
  }
  for await (const log of eventsOf({ client, address }, topics, range)) return log;
  return undefined;
}
