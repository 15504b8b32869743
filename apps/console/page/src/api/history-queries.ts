import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { callNode, whyRefused, type Call } from './call-node.js';
import type { MinedTransaction } from './latest-transactions.js';
import { receiptSchema, transactionSchema } from './shapes.js';

/** Transactions of a page; the node gives whole blocks, which may be more. */
const PAGE = 25;
/** New transactions of an account come now and then. Units: ms */
const OFTEN_MS = 10_000;

const historySchema = z.object({
  txs: z.array(transactionSchema),
  receipts: z.array(receiptSchema.extend({ timestamp: z.number().int() })),
  firstPage: z.boolean(),
  lastPage: z.boolean(),
});
const creatorSchema = z.object({ hash: z.string().length(66), creator: z.string().length(42) });

/** A page of what an account took part in, newest first, or why the node has none. */
export type History =
  | {
      readonly kind: 'page';
      readonly listed: readonly MinedTransaction[];
      readonly isNewest: boolean;
      readonly isOldest: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The transactions of an account by the node's index.
 * @param before - a height; undefined for the newest
 */
export function useHistory(node: string, address: string, before: number | undefined) {
  return useQuery({
    queryKey: ['history', node, address, before],
    queryFn: async ({ signal }): Promise<History> => {
      const call = { method: 'ots_searchTransactionsBefore', params: [address, before ?? 0, PAGE] };
      const [outcome] = await callNode(node, [call], signal);
      return outcome?.kind === 'done'
        ? pageOf(outcome.value)
        : { kind: 'refused', reason: whyRefused(outcome, 'ots') };
    },
    refetchInterval: before === undefined ? OFTEN_MS : false,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function pageOf(value: unknown): History {
  const { txs, receipts, firstPage, lastPage } = historySchema.parse(value);
  const listed = txs.flatMap((transaction, index): MinedTransaction[] => {
    const { blockNumber } = transaction;
    const receipt = receipts[index];
    if (blockNumber === null || blockNumber === undefined || receipt === undefined) return [];
    return [{ transaction, blockNumber, time: receipt.timestamp, receipt }];
  });
  return { kind: 'page', listed, isNewest: firstPage, isOldest: lastPage };
}

/** Who created a contract, and by which transaction; null where the node does not say. */
export function useCreator(node: string, address: string) {
  return useQuery({
    queryKey: ['creator', node, address],
    queryFn: async ({ signal }) => {
      const call: Call = { method: 'ots_getContractCreator', params: [address] };
      const [outcome] = await callNode(node, [call], signal);
      return outcome?.kind === 'done' ? creatorSchema.nullable().parse(outcome.value) : null;
    },
    staleTime: Infinity,
    retry: false,
  });
}
