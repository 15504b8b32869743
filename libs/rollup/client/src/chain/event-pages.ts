import {
  ChainRpcError,
  ChainUnavailableError,
  type BlockRange,
  type EthereumLog,
} from '@tetrad/rollup-chain';
import { OperatorError, type Hash } from '@tetrad/types';
import type { RollupContract } from './rollup-contract.js';

/** Blocks whose events are read, page by page. */
export interface EventRange {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Blocks asked for at a time, at first; by default 2000. */
  readonly pageBlocks?: number;
  /** Called after each page with its last block. */
  onPage?(block: number): void;
}

type EventSource = Pick<RollupContract, 'client' | 'address'>;

/** Most hosted clients refuse more. */
const PAGE_BLOCKS = 2_000;

/**
 * Events of the contract in a range of blocks, in order; one page of them is in memory at a time. A page that the client refuses, or
 * that is too large, is asked for in halves.
 * @param topics - what the topics of the events begin with
 * @throws OperatorError when the client returns events that were not requested; ChainRpcError, ChainUnavailableError
 *   when it does not even return those of a single block
 */
export async function* eventsOf(
  contract: EventSource,
  topics: readonly Hash[],
  { fromBlock, toBlock, pageBlocks = PAGE_BLOCKS, onPage }: EventRange,
): AsyncGenerator<EthereumLog> {
  let from = fromBlock;
  let blocks = pageBlocks;
  while (from <= toBlock) {
    const to = Math.min(from + blocks - 1, toBlock);
    const logs = await logsOf(contract, { from, to }, topics);
    if (logs === undefined) {
      blocks = Math.ceil((to - from + 1) / 2);
      continue;
    }
    yield* inOrder(logs);
    onPage?.(to);
    from = to + 1;
    if (blocks < pageBlocks) blocks *= 2;
  }
}

/** @returns undefined when a smaller page may do */
async function logsOf(
  contract: EventSource,
  range: BlockRange,
  topics: readonly Hash[],
): Promise<readonly EthereumLog[] | undefined> {
  try {
    const logs = await contract.client.logs(contract.address, range, topics);
    const isWanted = (log: EthereumLog) =>
      log.address === contract.address &&
      topics.every((topic, index) => log.topics[index] === topic) &&
      log.blockNumber >= range.from &&
      log.blockNumber <= range.to;
    if (!logs.every(isWanted))
      throw new OperatorError('the Ethereum client returned events that were not requested');
    return logs;
  } catch (error) {
    const isRejection = error instanceof ChainRpcError || error instanceof ChainUnavailableError;
    if (isRejection && range.to > range.from) return undefined;
    throw error;
  }
}

function inOrder(logs: readonly EthereumLog[]): EthereumLog[] {
  return [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}
