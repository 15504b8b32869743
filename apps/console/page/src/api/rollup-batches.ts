import { decodeEventLog, encodeEventTopics } from 'viem/utils';
import * as z from 'zod';
import { ask } from './call-node.js';
import { ROLLUP_ABI } from './rollup-contract.js';
import { blockSchema, countSchema, logSchema } from './shapes.js';

/** Blocks in which a batch is looked for. */
const LOOKED_BLOCKS = 100_000;

/** A batch that the contract has accepted, which it does with a proof alone. */
export interface AcceptedBatch {
  readonly height: number;
  readonly block: number;
  /** Time of the block; seconds since the epoch. */
  readonly time: number;
  readonly transaction: string;
  readonly submitter: string;
  /** Operations that it has room for. */
  readonly size: number;
  readonly stateRoot: string;
}

const placedLogSchema = logSchema.extend({
  blockNumber: countSchema,
  transactionHash: z.string().regex(/^0x[0-9a-f]{64}$/i),
});

/**
 * A batch of a contract; null when it is not in the blocks that are searched. All that it published comes with it.
 * @param options.height - of the batch
 * @param options.head - the newest block
 * @throws Failure; Error for an answer of another form
 */
export async function readBatch(
  node: string,
  { contract, height, head }: { readonly contract: string; readonly height: number; readonly head: number },
  signal: AbortSignal,
): Promise<AcceptedBatch | null> {
  const topics = encodeEventTopics({
    abi: ROLLUP_ABI,
    eventName: 'TransactionBatchAccepted',
    args: { height: BigInt(height) },
  });
  const fromBlock = `0x${Math.max(0, head - LOOKED_BLOCKS).toString(16)}`;
  const filter = { address: contract, fromBlock, toBlock: 'latest', topics };
  const logs = await ask(node, { method: 'eth_getLogs', params: [filter] }, signal);
  const [log] = z.array(placedLogSchema).parse(logs);
  if (log === undefined) return null;
  const params = [`0x${log.blockNumber.toString(16)}`, false];
  const block = await ask(node, { method: 'eth_getBlockByNumber', params }, signal);
  return batchOf(log, blockSchema.parse(block).timestamp);
}

function batchOf(log: z.output<typeof placedLogSchema>, time: number): AcceptedBatch {
  const { args } = decodeEventLog({
    abi: ROLLUP_ABI,
    eventName: 'TransactionBatchAccepted',
    data: log.data as `0x${string}`,
    topics: log.topics as [`0x${string}`, ...`0x${string}`[]],
  });
  return {
    height: Number(args.height),
    block: log.blockNumber,
    time,
    transaction: log.transactionHash,
    submitter: args.submitter,
    size: Number(args.batch.size),
    stateRoot: `0x${args.nextStateRoot.toString(16).padStart(64, '0')}`,
  };
}
