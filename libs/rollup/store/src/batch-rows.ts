import { decodeWord } from '@tetrad/rollup-crypto';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { batch } from './generated/tables.js';
import { numberOf, type ReadRow } from './read-row.js';

/** In this order; one that is open still takes operations. */
export type BatchState = 'open' | 'sealed' | 'proving' | 'proven' | 'submitted' | 'final';

export interface StoredBatch {
  readonly height: number;
  readonly state: BatchState;
  /** Operations and deposits in it. */
  readonly operations: number;
  /** What the circuit takes; the rest is padded. */
  readonly size: number;
  readonly inboundFrom: number;
  readonly inboundTo: number;
  readonly openedAt: Date;
  readonly sealedAt: Date | undefined;
  /** Undefined until the trees of the batch are written. */
  readonly roots: BatchRoots | undefined;
  readonly proof: Uint8Array | undefined;
  readonly transactionHash: Hash | undefined;
  readonly blockNumber: number | undefined;
  readonly blockHash: Hash | undefined;
  /** Why it last failed, for people. */
  readonly failure: string | undefined;
}

export interface BatchRoots {
  readonly previousState: bigint;
  readonly state: bigint;
  readonly account: bigint;
  readonly orders: bigint;
}

/** What may change after the batch is sealed. */
export interface BatchChange {
  readonly state: BatchState;
  readonly proof?: Uint8Array | undefined;
  readonly transactionHash?: Hash | undefined;
  readonly blockNumber?: number | undefined;
  readonly blockHash?: Hash | undefined;
  readonly failure?: string | undefined;
}

/** Which batch, and what it must be for a change. */
export interface BatchPlaceInState {
  readonly height: number;
  readonly from: BatchState;
  /** The state root after it: another one shows that the batch was removed and built again. */
  readonly stateRoot?: bigint | undefined;
}

/** The states before the last, in their order. */
export const UNFINISHED_STATES = [
  'open',
  'sealed',
  'proving',
  'proven',
  'submitted',
] as const satisfies BatchState[];

/** The same as statements have them: the planner sees how few these rows are. */
export const UNFINISHED = `ANY(ARRAY[${UNFINISHED_STATES.map((state) => `'${state}'`).join(', ')}])`;

/** What is read of a batch. */
export const BATCH_FIELDS = [
  'height',
  'state',
  'operations',
  'size',
  'inboundFrom',
  'inboundTo',
  'openedAt',
  'sealedAt',
  'previousStateRoot',
  'stateRoot',
  'accountRoot',
  'ordersRoot',
  'proof',
  'transactionHash',
  'blockNumber',
  'blockHash',
  'failure',
] as const;

type ReadBatch = ReadRow<typeof batch, (typeof BATCH_FIELDS)[number]>;

/** The typed row, read by the client or by a statement. */
export function parseBatch(row: ReadBatch): StoredBatch {
  return {
    height: Number(row.height),
    state: row.state as BatchState,
    operations: row.operations,
    size: row.size,
    inboundFrom: Number(row.inboundFrom),
    inboundTo: Number(row.inboundTo),
    openedAt: row.openedAt,
    sealedAt: row.sealedAt ?? undefined,
    roots: rootsOf(row),
    proof: row.proof ?? undefined,
    transactionHash: hashOf(row.transactionHash),
    blockNumber: numberOf(row.blockNumber),
    blockHash: hashOf(row.blockHash),
    failure: row.failure ?? undefined,
  };
}

function hashOf(bytes: Uint8Array | null): Hash | undefined {
  return bytes === null ? undefined : hashFromBytes(bytes);
}

function rootsOf({
  previousStateRoot,
  stateRoot,
  accountRoot,
  ordersRoot,
}: ReadBatch): BatchRoots | undefined {
  if (previousStateRoot === null || stateRoot === null || accountRoot === null || ordersRoot === null)
    return undefined;
  return {
    previousState: decodeWord(previousStateRoot),
    state: decodeWord(stateRoot),
    account: decodeWord(accountRoot),
    orders: decodeWord(ordersRoot),
  };
}
