import type { AcceptedBatch, EthereumLog } from '@tetrad/rollup-chain';
import { encodeWord } from '@tetrad/rollup-crypto';
import { OperatorError, hashFromBytes, parseHash, type Hash } from '@tetrad/types';
import { eventsOf, type EventRange } from './event-pages.js';
import type { RollupContract } from './rollup-contract.js';

/** A batch with where the chain has it. */
export interface MinedBatch extends AcceptedBatch {
  readonly blockNumber: number;
  readonly transactionHash: Hash;
}

export interface BatchRange extends EventRange {
  /** Only the batch of this height. */
  readonly height?: number;
}

/**
 * The batches that the contract accepted in a range of blocks, in order; one page of events is in memory at a time.
 * @throws OperatorError for an event of a batch that cannot be read; as `eventsOf`
 */
export async function* acceptedBatches(
  contract: RollupContract,
  { height, ...range }: BatchRange,
): AsyncGenerator<MinedBatch> {
  const topics = [
    parseHash(contract.codec.batchTopicOf(contract.batchLayout)),
    ...(height === undefined ? [] : [hashFromBytes(encodeWord(BigInt(height)))]),
  ];
  for await (const log of eventsOf(contract, topics, range)) yield batchOf(contract, log);
}

function batchOf({ codec }: RollupContract, log: EthereumLog): MinedBatch {
  const event = codec.parseLog(log);
  if (event?.kind !== 'batch') throw new OperatorError('an event of a batch cannot be read');
  const { blockNumber, transactionHash } = log;
  return { ...event, blockNumber, transactionHash };
}

/**
 * The batch of a height.
 * @throws OperatorError when the contract accepted none in the range; as `acceptedBatches`
 */
export async function acceptedBatch(
  contract: RollupContract,
  range: BatchRange & { readonly height: number },
): Promise<MinedBatch> {
  // A single event: as many blocks at a time as the client likes.
  const pageBlocks = range.toBlock - range.fromBlock + 1;
  for await (const batch of acceptedBatches(contract, { pageBlocks, ...range })) return batch;
  throw new OperatorError(`the contract has no batch ${range.height} up to block ${range.toBlock}`);
}
