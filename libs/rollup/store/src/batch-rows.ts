import { asBufferOrNull, type Database } from '@tetrad/db';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';

/** In this order; one that is open still takes operations. */
export type BatchState = 'open' | 'sealed' | 'proving' | 'proven' | 'submitted' | 'final';

export interface BatchRow {
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

type Statements = Pick<Database['pool'], 'query'>;

interface RawBatch {
  readonly height: number;
  readonly state: BatchState;
  readonly operations: number;
  readonly size: number;
  readonly inbound_from: number;
  readonly inbound_to: number;
  readonly opened_at: Date;
  readonly sealed_at: Date | null;
  readonly previous_state_root: Buffer | null;
  readonly state_root: Buffer | null;
  readonly account_root: Buffer | null;
  readonly orders_root: Buffer | null;
  readonly proof: Buffer | null;
  readonly transaction_hash: Buffer | null;
  readonly block_number: number | null;
  readonly block_hash: Buffer | null;
  readonly failure: string | null;
}

const COLUMNS = `height, state, operations, size, inbound_from, inbound_to, opened_at, sealed_at, previous_state_root,
  state_root, account_root, orders_root, proof, transaction_hash, block_number, block_hash, failure`;

export async function findBatches(from: Statements, heights: readonly number[]): Promise<BatchRow[]> {
  const { rows } = await from.query<RawBatch>({
    name: 'batches',
    text: `SELECT ${COLUMNS} FROM batch WHERE height = ANY($1::bigint[]) ORDER BY height`,
    values: [heights],
  });
  return rows.map(parseBatch);
}

/** The lowest batches in a state. */
export async function listBatches(from: Statements, state: BatchState, limit: number): Promise<BatchRow[]> {
  const { rows } = await from.query<RawBatch>({
    name: 'batches-in-state',
    text: `SELECT ${COLUMNS} FROM batch WHERE state = $1 ORDER BY height LIMIT $2`,
    values: [state, limit],
  });
  return rows.map(parseBatch);
}

/** How many there are in each of the states before the last. */
export async function countBatches(
  from: Statements,
): Promise<ReadonlyMap<Exclude<BatchState, 'final'>, number>> {
  const { rows } = await from.query<{ state: Exclude<BatchState, 'final'>; count: number }>({
    name: 'count-batches',
    text: `SELECT state, (SELECT count(*) FROM batch WHERE batch.state = asked.state) AS count
             FROM unnest(ARRAY['open', 'sealed', 'proving', 'proven', 'submitted']) AS asked (state)`,
  });
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/** 0 before the first. */
export async function findFinalHeight(from: Statements): Promise<number> {
  const { rows } = await from.query<{ height: number | null }>({
    name: 'final-height',
    text: "SELECT height FROM batch WHERE state = 'final' ORDER BY height DESC LIMIT 1",
  });
  return rows[0]?.height ?? 0;
}

/**
 * Moves a batch from one state to another; columns that the change does not name stay. The proving data of a final batch is
 * deleted. Out: false, and nothing is changed, when it is not in that state (any more)
 */
export async function changeBatch(
  to: Statements,
  place: BatchPlaceInState,
  change: BatchChange,
): Promise<boolean> {
  const { rowCount } = await to.query({
    name: 'change-batch',
    text: `
      UPDATE batch
         SET state = $3, proof = COALESCE($4, proof), transaction_hash = COALESCE($5, transaction_hash),
             block_number = COALESCE($6, block_number), block_hash = COALESCE($7, block_hash), failure = $8,
             proving = CASE WHEN $3 = 'final' THEN NULL ELSE proving END
       WHERE height = $1 AND state = $2 AND state_root IS NOT DISTINCT FROM COALESCE($9, state_root)`,
    values: [
      ...[place.height, place.from, change.state, asBufferOrNull(change.proof)],
      ...[hashOrNull(change.transactionHash), change.blockNumber ?? null, hashOrNull(change.blockHash)],
      ...[change.failure ?? null, asBufferOrNull(stateRootOf(place))],
    ],
  });
  return rowCount === 1;
}

/** What the batch is proved with; undefined before it is assembled, and once it is final. */
export async function readProving(from: Statements, height: number): Promise<Uint8Array | undefined> {
  const { rows } = await from.query<{ proving: Buffer | null }>({
    name: 'read-proving',
    text: 'SELECT proving FROM batch WHERE height = $1',
    values: [height],
  });
  return rows[0]?.proving ?? undefined;
}

/** Writes roots and what the batch is proved with, once it is sealed; one that the chain has needs no proof. */
export async function writeAssembly(
  to: Statements,
  height: number,
  { roots, proving }: { readonly roots: BatchRoots; readonly proving: Uint8Array | undefined },
): Promise<void> {
  await to.query({
    name: 'write-assembly',
    text: `UPDATE batch SET previous_state_root = $2, state_root = $3, account_root = $4, orders_root = $5, proving = $6
            WHERE height = $1 AND state = 'sealed'`,
    values: [
      height,
      ...[roots.previousState, roots.state, roots.account, roots.orders].map((root) =>
        asBufferOrNull(encodeWord(root)),
      ),
      asBufferOrNull(proving),
    ],
  });
}

function stateRootOf({ stateRoot }: BatchPlaceInState): Uint8Array | undefined {
  return stateRoot === undefined ? undefined : encodeWord(stateRoot);
}

function hashOrNull(hash: Hash | undefined): Buffer | null {
  return asBufferOrNull(hash === undefined ? undefined : hashToBytes(hash));
}

function parseBatch(row: RawBatch): BatchRow {
  return {
    ...{ height: row.height, state: row.state, operations: row.operations, size: row.size },
    ...{ inboundFrom: row.inbound_from, inboundTo: row.inbound_to },
    ...{ openedAt: row.opened_at, sealedAt: row.sealed_at ?? undefined, roots: rootsOf(row) },
    ...{ proof: row.proof ?? undefined, transactionHash: hashOf(row.transaction_hash) },
    ...{ blockNumber: row.block_number ?? undefined, blockHash: hashOf(row.block_hash) },
    failure: row.failure ?? undefined,
  };
}

function hashOf(bytes: Buffer | null): Hash | undefined {
  return bytes === null ? undefined : hashFromBytes(bytes);
}

function rootsOf(row: RawBatch): BatchRoots | undefined {
  const { previous_state_root, state_root, account_root, orders_root } = row;
  if (previous_state_root === null || state_root === null || account_root === null || orders_root === null)
    return undefined;
  return {
    ...{ previousState: decodeWord(previous_state_root), state: decodeWord(state_root) },
    ...{ account: decodeWord(account_root), orders: decodeWord(orders_root) },
  };
}
