import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { getContractAddress } from 'viem/utils';
import * as z from 'zod';
import type { HourBlock } from '../network/block-events.js';
import { permissionEventNames } from '../network/permission-events.js';
import { blockCall } from './block-call.js';
import { ask, callNode, valueOf } from './call-node.js';
import { blockSchema, countSchema, fullBlockSchema, logSchema, receiptSchema, textSchema } from './shapes.js';

/** How often the hour is looked at, in ms. */
const HOUR_MS = 10_000;
/** Blocks that are read; an hour may have more. */
const MAX_HOUR_BLOCKS = 720;
/** Blocks of one request. */
const BLOCKS_A_REQUEST = 90;
/** Blocks with transactions that are searched for new contracts. */
const MAX_SEARCHED = 20;
/** Creations of a block that are looked at. */
const MAX_CREATIONS = 50;
/** Permission changes that are shown. */
const MAX_LOGS = 100;

const hourBlockSchema = blockSchema.extend({
  extraData: z.string().max(200_000),
  nonce: textSchema.nullish(),
});

/** A block of the hour and how many transactions it has. */
export type ReadBlock = HourBlock & { readonly hash: string; readonly transactionCount: number };

/** The blocks of the last hour by the time of the newest one, lowest first, as far as they are read. */
export interface Hour {
  readonly blocks: readonly ReadBlock[];
  /** Whether they reach an hour back, or to the first block. */
  readonly isWhole: boolean;
}

/**
 * The headers of the last hour; those that were read before are not asked for again.
 * @param isWanted - the first view comes first
 */
export function useHour(node: string, isWanted: boolean) {
  const client = useQueryClient();
  const queryKey = ['hour', node];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => readHour(node, client.getQueryData<Hour>(queryKey), signal),
    refetchInterval: HOUR_MS,
    enabled: isWanted,
  });
}

async function readHour(node: string, before: Hour | undefined, signal: AbortSignal): Promise<Hour> {
  const head = countSchema.parse(await ask(node, { method: 'eth_blockNumber', params: [] }, signal));
  const kept = before?.blocks ?? [];
  const top = kept.at(-1);
  const isAhead = top !== undefined && top.number <= head && head - top.number < MAX_HOUR_BLOCKS;
  const read: ReadBlock[] = [];
  const lowest = isAhead ? top.number + 1 : Math.max(0, head + 1 - MAX_HOUR_BLOCKS);
  for (let end = head + 1; end > lowest; end -= BLOCKS_A_REQUEST) {
    read.unshift(...(await readBlocks(node, Math.max(lowest, end - BLOCKS_A_REQUEST), end, signal)));
    const [first] = read;
    if (first !== undefined && first.timestamp < startOf(read)) break;
  }
  const all = [...(isAhead ? kept : []), ...read].slice(-MAX_HOUR_BLOCKS);
  const start = startOf(all);
  const blocks = all.filter(({ timestamp }) => timestamp >= start);
  const wasWhole = isAhead && before?.isWhole === true && kept.length + read.length <= MAX_HOUR_BLOCKS;
  return { blocks, isWhole: blocks.length < all.length || wasWhole || !((blocks[0]?.number ?? 0) > 0) };
}

/** An hour before the newest block: a chain may have stood still. */
const startOf = (blocks: readonly ReadBlock[]) => (blocks.at(-1)?.timestamp ?? 0) - 3_600;

async function readBlocks(
  node: string,
  from: number,
  end: number,
  signal: AbortSignal,
): Promise<readonly ReadBlock[]> {
  const calls = Array.from({ length: end - from }, (_, at) => blockCall(from + at, false));
  const outcomes = await callNode(node, calls, signal);
  return outcomes.flatMap((outcome) => {
    const value = valueOf(outcome);
    if (value === null) return [];
    const { number, timestamp, miner, nonce, extraData, hash, transactions } = hourBlockSchema.parse(value);
    return [{ number, timestamp, miner, nonce, extraData, hash, transactionCount: transactions.length }];
  });
}

const hexOf = (number: number) => `0x${number.toString(16)}`;
/** A log with the topic of a permission event. */
export interface PermissionChange {
  readonly name: string;
  readonly contract: string;
  readonly block: number;
  /** Seconds since the epoch. */
  readonly time: number;
  readonly transaction: string;
  readonly place: number;
}

const placedSchema = logSchema.extend({ blockNumber: countSchema, transactionHash: z.string().length(66) });

/**
 * Permission changes of blocks, newest first, and how many are left out.
 * @param hour - undefined before it is read
 */
export function usePermissionChanges(node: string, hour: Hour | undefined) {
  const [first, last] = [hour?.blocks[0]?.number, hour?.blocks.at(-1)?.number];
  const timeOf = new Map(hour?.blocks.map(({ number, timestamp }) => [number, timestamp]));
  return useQuery({
    queryKey: ['hour-permissions', node, first, last],
    queryFn: async ({ signal }) => {
      const names = permissionEventNames();
      const range = { fromBlock: hexOf(first ?? 0), toBlock: hexOf(last ?? 0) };
      const filter = { ...range, topics: [[...names.keys()]] };
      const logs = z
        .array(placedSchema)
        .parse(await ask(node, { method: 'eth_getLogs', params: [filter] }, signal));
      const changes = logs.slice(-MAX_LOGS).map((log): PermissionChange => ({
        name: names.get(log.topics[0] ?? '') ?? '',
        contract: log.address,
        place: log.logIndex,
        block: log.blockNumber,
        time: timeOf.get(log.blockNumber) ?? 0,
        transaction: log.transactionHash,
      }));
      return { changes: changes.reverse(), leftOut: Math.max(0, logs.length - MAX_LOGS) };
    },
    enabled: last !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** A contract that a block created. */
export interface CreatedContract {
  readonly address: string;
  readonly creator: string;
  readonly block: number;
  /** Seconds since the epoch. */
  readonly time: number;
  readonly transaction: string;
}

/** Contracts that the newest blocks with transactions created; each block is searched once. */
export function useCreatedContracts(node: string, hour: Hour | undefined) {
  const busy = (hour?.blocks ?? []).filter(({ transactionCount }) => transactionCount > 0);
  const searched = busy.slice(-MAX_SEARCHED).reverse();
  return useQueries({
    queries: searched.map(({ number, hash }) => ({
      queryKey: ['created', node, hash],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readCreated(node, number, signal),
      staleTime: Infinity,
    })),
    combine: (queries) => ({
      created: queries.flatMap(({ data }) => data ?? []),
      isPending: queries.some(({ isPending }) => isPending),
      failed: queries.filter(({ error }) => error !== null).length,
      searched: searched.length,
      leftOut: busy.length - searched.length,
    }),
  });
}

async function readCreated(node: string, height: number, signal: AbortSignal): Promise<CreatedContract[]> {
  const block = fullBlockSchema.parse(await ask(node, blockCall(height, true), signal));
  const creations = block.transactions
    .filter(({ to }) => to === null || to === undefined)
    .slice(0, MAX_CREATIONS);
  if (creations.length === 0) return [];
  const receipts = await callNode(
    node,
    creations.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    signal,
  );
  return creations.flatMap(({ from, nonce, hash }, at) => {
    const receipt = receiptSchema.parse(valueOf(receipts[at]));
    if (receipt.status === 0) return [];
    const computed = getContractAddress({ from: from as `0x${string}`, nonce: BigInt(nonce) });
    const address = receipt.contractAddress ?? computed;
    return [{ address, creator: from, block: height, time: block.timestamp, transaction: hash }];
  });
}
