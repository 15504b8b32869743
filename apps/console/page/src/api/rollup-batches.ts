import { decodeEventLog, encodeEventTopics } from 'viem/utils';
import * as z from 'zod';
import { ask, callNode, valueOf } from './call-node.js';
import { ROLLUP_ABI } from './rollup-contract.js';
import { blockSchema, countSchema, logSchema } from './shapes.js';

/** Batches that are shown. */
const MAX_BATCHES = 20;
/** Blocks in which they are looked for. */
const LOOKED_BLOCKS = 100_000;

/** A batch that the contract has accepted, which it does with a proof alone. */
export interface AcceptedBatch {
  readonly height: number;
  readonly block: number;
  /** Of the block; seconds since the epoch. */
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
 * The last batches of a contract, newest first. In: height — of the newest; head — the newest block
 *
 * Fails: Failure; Error for an answer of another form
 */
export async function readBatches(
  node: string,
  { contract, height, head }: { readonly contract: string; readonly height: number; readonly head: number },
  signal: AbortSignal,
): Promise<readonly AcceptedBatch[]> {
  const heights = Array.from({ length: Math.min(MAX_BATCHES, height) }, (_, at) => BigInt(height - at));
  if (heights.length === 0) return [];
  const topics = encodeEventTopics({
    ...{ abi: ROLLUP_ABI, eventName: 'TransactionBatchAccepted', args: { height: heights } },
  });
  const fromBlock = `0x${Math.max(0, head - LOOKED_BLOCKS).toString(16)}`;
  const filter = { address: contract, fromBlock, toBlock: 'latest', topics };
  const logs = z
    .array(placedLogSchema)
    .parse(await ask(node, { method: 'eth_getLogs', params: [filter] }, signal));
  const times = await timesOf(
    node,
    logs.map(({ blockNumber }) => blockNumber),
    signal,
  );
  return logs
    .slice(-MAX_BATCHES)
    .map((log) => batchOf(log, times.get(log.blockNumber) ?? 0))
    .sort((a, b) => b.height - a.height);
}

async function timesOf(
  node: string,
  blocks: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const numbers = [...new Set(blocks)].slice(-MAX_BATCHES);
  if (numbers.length === 0) return new Map();
  const calls = numbers.map((number) => ({
    ...{ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] },
  }));
  const found = (await callNode(node, calls, signal)).map((one) => blockSchema.parse(valueOf(one)));
  return new Map(found.map(({ number, timestamp }) => [number, timestamp]));
}

function batchOf(log: z.output<typeof placedLogSchema>, time: number): AcceptedBatch {
  const { args } = decodeEventLog({
    ...{ abi: ROLLUP_ABI, eventName: 'TransactionBatchAccepted', data: log.data as `0x${string}` },
    topics: log.topics as [`0x${string}`, ...`0x${string}`[]],
  });
  return {
    ...{ height: Number(args.height), block: log.blockNumber, time, transaction: log.transactionHash },
    ...{ submitter: args.submitter, size: Number(args.batch.size) },
    stateRoot: `0x${args.nextStateRoot.toString(16).padStart(64, '0')}`,
  };
}
