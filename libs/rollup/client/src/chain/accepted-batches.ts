import {
  ChainRpcError,
  ChainUnavailableError,
  type BlockRange,
  type EthereumLog,
  type AcceptedBatch,
} from '@tetrad/rollup-chain';
import { encodeWord } from '@tetrad/rollup-crypto';
import { OperatorError, hashFromBytes, parseHash, type Hash } from '@tetrad/types';
import type { RollupContract } from './rollup-contract.js';

/** A batch with where the chain has it. */
export interface MinedBatch extends AcceptedBatch {
  readonly blockNumber: number;
  readonly transactionHash: Hash;
}

export interface BatchRange {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Blocks asked for at a time, at first; by default 2000. */
  readonly pageBlocks?: number;
  /** Only the batch of this height. */
  readonly height?: number;
  /** Called after each page with its last block. */
  onPage?(block: number): void;
}

/** Most hosted clients refuse more. */
const PAGE_BLOCKS = 2_000;

/**
 * The batches that the contract accepted in a range of blocks, in order; one page of events is in memory at a time. A page that
 * the client refuses, or that is too large, is asked for in halves.
 *
 * Fails: OperatorError when the client returns events that were not requested; ChainRpcError, ChainUnavailableError when it
 *        does not even return those of a single block
 */
export async function* acceptedBatches(
  contract: RollupContract,
  { fromBlock, toBlock, pageBlocks = PAGE_BLOCKS, height, onPage }: BatchRange,
): AsyncGenerator<MinedBatch> {
  let from = fromBlock;
  let blocks = pageBlocks;
  while (from <= toBlock) {
    const to = Math.min(from + blocks - 1, toBlock);
    const logs = await logsOf(contract, { from, to }, height);
    if (logs === undefined) {
      blocks = Math.ceil((to - from + 1) / 2);
      continue;
    }
    for (const log of inOrder(logs)) yield batchOf(contract, log);
    onPage?.(to);
    from = to + 1;
    if (blocks < pageBlocks) blocks *= 2;
  }
}

/** Out: undefined when a smaller page may do. */
async function logsOf(
  contract: RollupContract,
  range: BlockRange,
  height: number | undefined,
): Promise<readonly EthereumLog[] | undefined> {
  const topics = [
    parseHash(contract.codec.batchTopicOf(contract.batchLayout)),
    ...(height === undefined ? [] : [hashFromBytes(encodeWord(BigInt(height)))]),
  ];
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

function batchOf({ codec }: RollupContract, log: EthereumLog): MinedBatch {
  const event = codec.parseLog(log);
  if (event?.kind !== 'batch') throw new OperatorError('an event of a batch cannot be read');
  const { blockNumber, transactionHash } = log;
  return { ...event, blockNumber, transactionHash };
}

/** The batch of a height. Fails: OperatorError when the contract accepted none in the range; as `acceptedBatches` */
export async function acceptedBatch(
  contract: RollupContract,
  range: BatchRange & { readonly height: number },
): Promise<MinedBatch> {
  // A single event: as many blocks at a time as the client likes.
  const pageBlocks = range.toBlock - range.fromBlock + 1;
  for await (const batch of acceptedBatches(contract, { pageBlocks, ...range })) return batch;
  throw new OperatorError(`the contract has no batch ${range.height} up to block ${range.toBlock}`);
}
