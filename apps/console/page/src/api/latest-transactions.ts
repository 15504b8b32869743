import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { blockCall } from './block-call.js';
import { ask, callNode, valueOf, type Call } from './call-node.js';
import { LIVE_MS } from './queries.js';
import {
  blockSchema,
  countSchema,
  fullBlockSchema,
  receiptSchema,
  type Block,
  type FullBlock,
  type Receipt,
  type Transaction,
} from './shapes.js';

/** Blocks of one request. */
const BLOCKS_A_REQUEST = 25;
/** Blocks that are looked through for one list: a chain of empty blocks has no transactions to find. */
const MAX_BLOCKS = 100;
/** Transactions from which on no further block is read. */
const ENOUGH = 50;
/** Transactions of a block up to which their receipts are read. */
const MAX_RECEIPTS = 500;

/** A transaction with what its block says of it. */
export interface MinedTransaction {
  readonly transaction: Transaction;
  readonly blockNumber: number;
  /** Seconds since the epoch. */
  readonly time: number;
  /** Undefined where its block has too many transactions, or the node keeps no receipt. */
  readonly receipt: Receipt | undefined;
}

/** Transactions of consecutive blocks, newest first. */
export interface TransactionList {
  readonly listed: readonly MinedTransaction[];
  /** The heights that were looked through; the lowest is above the highest on an empty range. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * The newest transactions, or those of blocks before a height. It ends with the block that makes them enough.
 * @param before - undefined for the newest
 */
export function useLatestTransactions(node: string, before: number | undefined) {
  return useQuery({
    queryKey: ['transactions', node, before],
    queryFn: ({ signal }) => readList(node, before, signal),
    refetchInterval: before === undefined ? LIVE_MS : false,
    placeholderData: keepPreviousData,
  });
}

async function readList(
  node: string,
  before: number | undefined,
  signal: AbortSignal,
): Promise<TransactionList> {
  const end =
    before ?? 1 + countSchema.parse(await ask(node, { method: 'eth_blockNumber', params: [] }, signal));
  const { blocks, lowest } = await findBlocks(node, end, signal);
  const listed = await readTransactions(node, blocks, signal);
  return { listed, lowest, highest: end - 1 };
}

/** The blocks with transactions below a height, as many as are enough. */
async function findBlocks(node: string, end: number, signal: AbortSignal) {
  const blocks: Block[] = [];
  const last = Math.max(0, end - MAX_BLOCKS);
  let found = 0;
  for (let top = end; top > last; top -= BLOCKS_A_REQUEST) {
    const count = Math.min(BLOCKS_A_REQUEST, top - last);
    const calls = Array.from({ length: count }, (_, at) => blockCall(top - 1 - at, false));
    for (const outcome of await callNode(node, calls, signal)) {
      const block = blockSchema.nullable().parse(valueOf(outcome));
      if (block === null) continue;
      if (block.transactions.length > 0) blocks.push(block);
      found += block.transactions.length;
      if (found >= ENOUGH) return { blocks, lowest: block.number };
    }
  }
  return { blocks, lowest: last };
}

async function readTransactions(
  node: string,
  blocks: readonly Block[],
  signal: AbortSignal,
): Promise<readonly MinedTransaction[]> {
  if (blocks.length === 0) return [];
  const withReceipts = blocks.filter(({ transactions }) => transactions.length <= MAX_RECEIPTS);
  const [bodies, receipts] = await Promise.all([
    callNode(
      node,
      blocks.map(({ number }) => blockCall(number, true)),
      signal,
    ),
    withReceipts.length === 0 ? [] : callNode(node, withReceipts.map(receiptsCall), signal),
  ]);
  const receiptsOf = new Map(
    withReceipts.map(({ hash }, at) => {
      const outcome = receipts[at];
      return [hash, outcome?.kind === 'done' ? receiptsSchema.parse(outcome.value) : null] as const;
    }),
  );
  return bodies.flatMap((outcome) => {
    const block = fullBlockSchema.nullable().parse(valueOf(outcome));
    if (block === null) return [];
    const its = receiptsOf.get(block.hash);
    return block.transactions
      .map((transaction, index) => ({
        transaction,
        blockNumber: block.number,
        time: block.timestamp,
        receipt: its?.[index],
      }))
      .reverse();
  });
}

/** The receipts of a block, in the order of its transactions; null where the node keeps none, or the block has too many. */
export function useReceipts(node: string, block: Block | FullBlock) {
  const count = block.transactions.length;
  return useQuery({
    queryKey: ['receipts', node, block.hash],
    queryFn: async ({ signal }) => {
      const [outcome] = await callNode(node, [receiptsCall(block)], signal);
      return outcome?.kind === 'done' ? receiptsSchema.parse(outcome.value) : null;
    },
    enabled: count > 0 && count <= MAX_RECEIPTS,
    staleTime: Infinity,
    retry: false,
  });
}

const receiptsSchema = z.array(receiptSchema).nullable();

const receiptsCall = ({ number }: Pick<Block, 'number'>): Call => ({
  method: 'eth_getBlockReceipts',
  params: [`0x${number.toString(16)}`],
});
