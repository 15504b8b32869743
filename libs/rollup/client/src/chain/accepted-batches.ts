import type { AcceptedBatch } from '@tetrad/rollup-contracts';
import { encodeWord } from '@tetrad/rollup-crypto';
import { RpcCallError, RpcTransportError } from '@tetrad/rpc';
import { OperatorError, hashFromBytes, parseHash, type Hash } from '@tetrad/types';
import type { EthereumLog } from './ethereum-methods.js';
import type { RollupContract } from './rollup-contract.js';

/** A batch with where the chain has it. */
export interface MinedBatch extends AcceptedBatch {
  readonly blockNumber: bigint;
  readonly transactionHash: Hash;
}

export interface BatchRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Blocks asked for at a time, at first; by default 2000. */
  readonly pageBlocks?: number;
  /** Only the batch of this height. */
  readonly height?: number;
  /** Told after each page: the last block of it. */
  onPage?(block: bigint): void;
}

/** Most hosted clients refuse more. */
const PAGE_BLOCKS = 2_000;

/**
 * The batches that the contract accepted in a range of blocks, in order; one page of events is in memory at a time. A page that
 * the client refuses, or that is too large, is asked for in halves.
 *
 * Fails: OperatorError when the client gives events that nobody asked for; RpcCallError, RpcTransportError when it does not
 *        even give those of a single block
 */
export async function* acceptedBatches(
  contract: RollupContract,
  { fromBlock, toBlock, pageBlocks = PAGE_BLOCKS, height, onPage }: BatchRange,
): AsyncGenerator<MinedBatch> {
  let from = fromBlock;
  let blocks = BigInt(pageBlocks);
  while (from <= toBlock) {
    const to = from + blocks - 1n < toBlock ? from + blocks - 1n : toBlock;
    const logs = await logsOf(contract, { from, to, height });
    if (logs === undefined) {
      blocks = (to - from + 2n) / 2n;
      continue;
    }
    for (const log of inOrder(logs)) yield batchOf(contract, log);
    onPage?.(to);
    from = to + 1n;
    if (blocks < BigInt(pageBlocks)) blocks *= 2n;
  }
}

/** Out: undefined when a smaller page may do. */
async function logsOf(
  contract: RollupContract,
  range: { readonly from: bigint; readonly to: bigint; readonly height: number | undefined },
): Promise<readonly EthereumLog[] | undefined> {
  const { from: fromBlock, to: toBlock, height } = range;
  const topics = [
    parseHash(contract.codec.batchTopic),
    ...(height === undefined ? [] : [hashFromBytes(encodeWord(BigInt(height)))]),
  ];
  try {
    const logs = await contract.client.call('eth_getLogs', [
      { address: contract.address, fromBlock, toBlock, topics },
    ]);
    const isWanted = (log: EthereumLog) =>
      log.address === contract.address &&
      topics.every((topic, index) => log.topics[index] === topic) &&
      log.blockNumber >= fromBlock &&
      log.blockNumber <= toBlock;
    if (!logs.every(isWanted))
      throw new OperatorError('the Ethereum client gives events that were not asked for');
    return logs;
  } catch (error) {
    const isRefusal = error instanceof RpcCallError || error instanceof RpcTransportError;
    if (isRefusal && toBlock > fromBlock) return undefined;
    throw error;
  }
}

function inOrder(logs: readonly EthereumLog[]): EthereumLog[] {
  return [...logs].sort((a, b) => Number(a.blockNumber - b.blockNumber || a.logIndex - b.logIndex));
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
  const pageBlocks = Number(range.toBlock - range.fromBlock) + 1;
  for await (const batch of acceptedBatches(contract, { pageBlocks, ...range })) return batch;
  throw new OperatorError(`the contract has no batch ${range.height} up to block ${range.toBlock}`);
}
