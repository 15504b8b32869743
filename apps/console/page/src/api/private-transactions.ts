import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { privateKindOf, type PrivateKind } from '../privacy/private-transactions.js';
import { blockCall } from './block-call.js';
import { ask, callNode, valueOf, whyRefused, type Outcome } from './call-node.js';
import { countSchema, fullBlockSchema, transactionSchema, type Transaction } from './shapes.js';

/** Transactions of a page of the index; the node gives whole blocks, which may be more. */
const PAGE = 50;
/** Blocks that are looked through where the node has no index. */
const BLOCKS = 25;
/** Units: ms */
const OFTEN_MS = 5_000;

/** A private transaction of the chain, as every node has it. */
export interface ListedTransaction {
  readonly transaction: Transaction;
  readonly kind: PrivateKind;
  readonly blockNumber: number;
  /** Seconds since the epoch. */
  readonly time: number;
}

/** Private transactions, newest first. */
export type PrivateList = { readonly listed: readonly ListedTransaction[] } & (
  | { readonly kind: 'indexed'; readonly isNewest: boolean; readonly isOldest: boolean }
  /** The node has no list of them: they are those of a range of blocks. */
  | { readonly kind: 'blocks'; readonly lowest: number; readonly highest: number; readonly reason: string }
);

const pageSchema = z.object({
  transactions: z.array(transactionSchema),
  firstPage: z.boolean(),
  lastPage: z.boolean(),
});

/**
 * The newest private transactions, or those in blocks before a height: from the index of the node, or from a few blocks where it has none.
 * @param before - undefined for the newest
 */
export function usePrivateTransactions(node: string, before: number | undefined) {
  return useQuery({
    queryKey: ['private-transactions', node, before],
    queryFn: async ({ signal }): Promise<PrivateList> => {
      const call = { method: 'explorer_listPrivateTransactions', params: [before ?? 0, PAGE] };
      const [outcome] = await callNode(node, [call], signal);
      if (outcome?.kind !== 'done')
        return listOfBlocks(node, { before, reason: whyRefused(outcome, 'explorer') }, signal);
      const { transactions, firstPage, lastPage } = pageSchema.parse(outcome.value);
      const listed = transactions.flatMap((transaction) =>
        listedOf(transaction, transaction.blockNumber ?? 0, transaction.blockTimestamp ?? 0),
      );
      return { kind: 'indexed', listed, isNewest: firstPage, isOldest: lastPage };
    },
    refetchInterval: before === undefined ? OFTEN_MS : false,
    placeholderData: keepPreviousData,
  });
}

async function listOfBlocks(
  node: string,
  { before, reason }: { readonly before: number | undefined; readonly reason: string },
  signal: AbortSignal,
): Promise<PrivateList> {
  const end =
    before ?? 1 + countSchema.parse(await ask(node, { method: 'eth_blockNumber', params: [] }, signal));
  const heights = Array.from({ length: Math.min(end, BLOCKS) }, (_, index) => end - 1 - index);
  const calls = heights.map((height) => blockCall(height, true));
  const outcomes = calls.length === 0 ? [] : await callNode(node, calls, signal);
  const listed = outcomes.flatMap(listedIn);
  return { kind: 'blocks', lowest: heights.at(-1) ?? 0, highest: end - 1, listed, reason };
}

function listedIn(outcome: Outcome): readonly ListedTransaction[] {
  const block = fullBlockSchema.nullable().parse(valueOf(outcome));
  if (block === null) return [];
  return block.transactions.flatMap((transaction) => listedOf(transaction, block.number, block.timestamp));
}

function listedOf(transaction: Transaction, blockNumber: number, time: number): ListedTransaction[] {
  const kind = privateKindOf(transaction);
  return kind === undefined ? [] : [{ transaction, kind, blockNumber, time }];
}
