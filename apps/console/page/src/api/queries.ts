import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type * as z from 'zod';
import { ask, callNode, getJson, valueOf, type Call, type Outcome } from './call-node.js';
import { blockCall } from './block-call.js';
import { firstFrames } from './first-frames.js';
import {
  amountSchema,
  blockSchema,
  bytesSchema,
  candidatesSchema,
  countSchema,
  fullBlockSchema,
  networkSchema,
  nodeInfoSchema,
  peersSchema,
  poolContentSchema,
  poolSchema,
  receiptSchema,
  snapshotSchema,
  statusSchema,
  textSchema,
  transactionSchema,
  type Block,
} from './shapes.js';

/** How often what changes is asked for again, in ms. */
export const LIVE_MS = 2_000;

/** The nodes of the network. */
export function useNetwork() {
  return useQuery({
    queryKey: ['network'],
    queryFn: async ({ signal }) => networkSchema.parse(await getJson('/api/network', signal)),
    refetchInterval: 30_000,
  });
}

/** What a node says of itself. A part is undefined where the node does not serve its method. */
export interface NodeState {
  readonly head: number;
  readonly peers: number;
  readonly version: string | undefined;
  readonly id: string | undefined;
  readonly peerIds: readonly string[] | undefined;
  readonly peerEnodes: readonly string[] | undefined;
}

const STATE_CALLS: readonly Call[] = [
  { method: 'eth_blockNumber', params: [] },
  { method: 'net_peerCount', params: [] },
  { method: 'web3_clientVersion', params: [] },
  { method: 'admin_nodeInfo', params: [] },
  { method: 'admin_peers', params: [] },
];

/** The states of nodes, each as soon as it is there. */
export function useNodeStates(names: readonly string[]) {
  return useQueries({
    queries: names.map((name) => ({
      queryKey: ['state', name],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        stateOf(await callNode(name, STATE_CALLS, signal)),
      refetchInterval: LIVE_MS,
      retry: false,
    })),
  });
}

function stateOf([head, peers, version, info, list]: readonly Outcome[]): NodeState {
  const known = served(list, peersSchema);
  return {
    head: countSchema.parse(valueOf(head)),
    peers: countSchema.parse(valueOf(peers)),
    version: served(version, textSchema),
    id: served(info, nodeInfoSchema)?.id,
    peerIds: known?.map(({ id }) => id),
    peerEnodes: known?.map(({ enode }) => enode),
  };
}

/** The value of a method that a node need not serve. */
export function served<Schema extends z.ZodType>(
  outcome: Outcome | undefined,
  schema: Schema,
): z.output<Schema> | undefined {
  return outcome?.kind === 'done' ? schema.parse(outcome.value) : undefined;
}

/**
 * The newest blocks, or those before a height, highest first.
 * @param options.before - undefined for the newest
 */
export function useBlocks(node: string, { before, count }: { before?: number | undefined; count: number }) {
  return useQuery({
    queryKey: ['blocks', node, before, count],
    queryFn: async ({ signal }) => {
      const end =
        before ?? 1 + countSchema.parse(await ask(node, { method: 'eth_blockNumber', params: [] }, signal));
      const heights = Array.from({ length: Math.min(end, count) }, (_, index) => end - 1 - index);
      if (heights.length === 0) return [];
      const calls = heights.map((height) => blockCall(height, false));
      const outcomes = await callNode(node, calls, signal);
      return outcomes.flatMap((outcome): Block[] => {
        const value = valueOf(outcome);
        return value === null ? [] : [blockSchema.parse(value)];
      });
    },
    refetchInterval: before === undefined ? LIVE_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** A block with its transactions; null when the chain has none of that height or hash. */
export function useBlock(node: string, id: string) {
  return useQuery({
    queryKey: ['block', node, id],
    queryFn: async ({ signal }) =>
      fullBlockSchema.nullable().parse(await ask(node, blockCall(id, true), signal)),
  });
}

/** A transaction with its receipt and the time of its block; null when the node knows none of that hash. */
export function useTransaction(node: string, hash: string) {
  return useQuery({
    queryKey: ['transaction', node, hash],
    queryFn: async ({ signal }) => {
      const [transaction, receipt] = await callNode(
        node,
        [
          { method: 'eth_getTransactionByHash', params: [hash] },
          { method: 'eth_getTransactionReceipt', params: [hash] },
        ],
        signal,
      );
      const found = transactionSchema.nullable().parse(valueOf(transaction));
      if (found === null) return null;
      const time = await timeOf(node, found.blockNumber, signal);
      return { transaction: found, receipt: receiptSchema.nullable().parse(valueOf(receipt)), time };
    },
    // It waits in the pool until it is mined.
    refetchInterval: ({ state }) => (state.data?.receipt ? false : LIVE_MS),
  });
}

/** In seconds since the epoch; undefined for a transaction that is in no block. */
async function timeOf(
  node: string,
  height: number | null | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (height === null || height === undefined) return undefined;
  return blockSchema.nullable().parse(await ask(node, blockCall(height, false), signal))?.timestamp;
}

/** The calls of a transaction, traced on request, since it is executed again for this. */
export function useTrace(node: string, hash: string, enabled: boolean) {
  return useQuery({
    queryKey: ['trace', node, hash],
    queryFn: async ({ signal }) => {
      const call = { method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] };
      return firstFrames(await ask(node, call, signal));
    },
    enabled,
    staleTime: Infinity,
    retry: false,
  });
}

/**
 * What a transaction that failed returned, where its receipt does not say: by the index of the node, or traced, as it is executed again
 * for both.
 */
export function useRevertData(node: string, hash: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['revert', node, hash],
    queryFn: async ({ signal }) => {
      const [found] = await callNode(node, [{ method: 'ots_getTransactionError', params: [hash] }], signal);
      if (found?.kind === 'done') return bytesSchema.parse(found.value);
      const call = { method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] };
      return firstFrames(await ask(node, call, signal)).frames[0]?.frame.output ?? '0x';
    },
    enabled: isWanted,
    staleTime: Infinity,
    retry: false,
  });
}

export function useAccount(node: string, address: string) {
  return useQuery({
    queryKey: ['account', node, address],
    queryFn: async ({ signal }) => {
      const params = [address, 'latest'];
      const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
      const outcomes = await callNode(
        node,
        methods.map((method) => ({ method, params })),
        signal,
      );
      const [balance, nonce, code] = outcomes.map(valueOf);
      return {
        balance: amountSchema.parse(balance),
        nonce: countSchema.parse(nonce),
        code: bytesSchema.parse(code),
      };
    },
    refetchInterval: LIVE_MS,
  });
}

/** Validators, open votes, and who proposed the last blocks; undefined on a chain without validators. */
export function useValidators(node: string) {
  return useQuery({
    queryKey: ['validators', node],
    queryFn: async ({ signal }) => {
      const [snapshot, status, candidates] = await callNode(
        node,
        [
          { method: 'ibft_getSnapshot', params: ['latest'] },
          { method: 'ibft_status', params: [] },
          { method: 'ibft_candidates', params: [] },
        ],
        signal,
      );
      return {
        snapshot: served(snapshot, snapshotSchema),
        proposals: served(status, statusSchema),
        candidates: served(candidates, candidatesSchema),
      };
    },
    refetchInterval: LIVE_MS,
  });
}

export function usePool(node: string) {
  return useQuery({
    queryKey: ['pool', node],
    queryFn: async ({ signal }) => {
      const calls = ['txpool_status', 'txpool_content'].map((method) => ({ method, params: [] }));
      const [status, content] = await callNode(node, calls, signal);
      return {
        counts: poolSchema.parse(valueOf(status)),
        content: poolContentSchema.parse(valueOf(content)),
      };
    },
    refetchInterval: LIVE_MS,
  });
}
