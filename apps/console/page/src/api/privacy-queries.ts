import { useQueries, useQuery } from '@tanstack/react-query';
import type * as z from 'zod';
import { followerStateOf, type FollowerState } from '../privacy/follower-state.js';
import { heldOf } from '../privacy/held-contract.js';
import { ask, callNode, valueOf, type Outcome } from './call-node.js';
import {
  activeExtensionsSchema,
  inspectionSchema,
  metadataSchema,
  privateTransactionSchema,
  restrictedReceiptSchema,
} from './privacy-shapes.js';
import { countSchema, receiptSchema, transactionSchema } from './shapes.js';

/** A node whose private state is behind waits some seconds before it says so. Units: ms */
const SLOW_MS = 10_000;
const NO_HASH = `0x${'00'.repeat(32)}`;
/** A precompile: it has no code, in public or in private state. */
const NO_CONTRACT = '0x0000000000000000000000000000000000000001';

/** How far the private states of nodes are, each as soon as it is known. */
export function useFollowers(names: readonly string[]) {
  return useQueries({
    queries: names.map((name) => ({
      queryKey: ['follower', name],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<FollowerState> => {
        const [head, marked, state] = await callNode(
          name,
          [
            { method: 'eth_blockNumber', params: [] },
            { method: 'eth_getPrivateTransactionByHash', params: [NO_HASH] },
            { method: 'eth_getContractPrivacyMetadata', params: [NO_CONTRACT] },
          ],
          signal,
        );
        return followerStateOf(countSchema.parse(valueOf(head)), marked, state);
      },
      refetchInterval: SLOW_MS,
      retry: false,
    })),
  });
}

/** The extensions of which the node is the initiator or the recipient. */
export function useExtensions(node: string) {
  return useQuery({
    queryKey: ['extensions', node],
    queryFn: async ({ signal }) => {
      const call = { method: 'chainExtension_activeExtensionContracts', params: [] };
      return activeExtensionsSchema.parse(await ask(node, call, signal));
    },
    refetchInterval: SLOW_MS,
  });
}

/** What a node answers, or why it does not; null is its word that it has none. */
export type Seen<Value> = { readonly value: Value | null } | { readonly refused: string };

function seen<Schema extends z.ZodType>(
  outcome: Outcome | undefined,
  schema: Schema,
): Seen<z.output<Schema>> {
  if (outcome?.kind !== 'done') return { refused: outcome?.message ?? 'the node left out an answer' };
  return { value: outcome.value === null ? null : schema.parse(outcome.value) };
}

/** A transaction as nodes see it: what is on the chain, and what each of them has of its private part. */
export function useSeenTransactions(names: readonly string[], hash: string) {
  return useQueries({
    queries: names.map((name) => ({
      queryKey: ['seen-transaction', name, hash],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        transactionSeenBy(
          await callNode(
            name,
            TRANSACTION_METHODS.map((method) => ({ method, params: [hash] })),
            signal,
          ),
        ),
      refetchInterval: SLOW_MS,
    })),
  });
}

const TRANSACTION_METHODS = [
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getPrivateTransactionByHash',
  'eth_getPrivateTransactionReceipt',
  'priv_getTransactionReceipt',
];

function transactionSeenBy([transaction, receipt, inner, innerReceipt, restricted]: readonly Outcome[]) {
  return {
    transaction: transactionSchema.nullable().parse(valueOf(transaction)),
    receipt: seen(receipt, receiptSchema),
    inner: seen(inner, privateTransactionSchema),
    innerReceipt: seen(innerReceipt, receiptSchema),
    restricted: seen(restricted, restrictedReceiptSchema),
  };
}
export type SeenTransaction = ReturnType<typeof transactionSeenBy>;

/** A contract as nodes see it. Asked once, since the node of a recipient asks all parties for it. */
export function useSeenContracts(names: readonly string[], address: string) {
  return useQueries({
    queries: names.map((name) => ({
      queryKey: ['seen-contract', name, address],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        contractSeenBy(
          await callNode(
            name,
            [
              { method: 'eth_getCode', params: [address, 'latest'] },
              { method: 'eth_getContractPrivacyMetadata', params: [address] },
              { method: 'chainExtension_inspect', params: [address] },
            ],
            signal,
          ),
        ),
      staleTime: Infinity,
      retry: false,
    })),
  });
}

function contractSeenBy([code, metadata, inspection]: readonly Outcome[]) {
  const held = heldOf({ code, metadata }, (value) => metadataSchema.parse(value).privacyFlag);
  return { held, metadata: seen(metadata, metadataSchema), inspection: seen(inspection, inspectionSchema) };
}
export type SeenContract = ReturnType<typeof contractSeenBy>;
