import { CommitGroup, LookupGroup, asBuffer, type Database } from '@tetrad/db';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import type { Hash } from '@tetrad/types';
import { acceptOperations, type Acceptance } from './accept-operations.js';
import {
  countAccounts,
  findAccountDetails,
  findAccounts,
  type AccountDetails,
  type AccountRow,
} from './account-rows.js';
import {
  changeBatch,
  countBatches,
  findBatches,
  findFinalHeight,
  listBatches,
  readProving,
  type BatchChange,
  type BatchPlaceInState,
  type BatchRow,
  type BatchState,
} from './batch-rows.js';
import {
  addChainEvents,
  advanceChain,
  listChainBlocks,
  listOverdueRequests,
  listTokens,
  rewindChain,
  type ChainBlockRow,
  type ChainEvents,
  type OutboundRequestRow,
  type TokenRow,
} from './chain-rows.js';
import { readBacklog, type Backlog } from './backlog-rows.js';
import { readQueue, type BatchQueue } from './queue-rows.js';
import { findOperation, listOperations, type OperationQuery } from './list-operations.js';
import {
  findBatchOrders,
  findMoneyOrders,
  findPreviousOrders,
  findBatchReceived,
  listReceivedOrders,
  type ReceivedQuery,
  type FoundMoneyOrder,
  type StoredMoneyOrder,
} from './money-order-rows.js';
import type { AcceptedOperation, StoredOperation } from './operation-rows.js';
import { changeOperatorKey, claimIdentity, findIdentity, type RollupIdentity } from './rollup-identity.js';
import { readHead, type SequenceHead } from './sequence-head.js';
import { pruneReplaced } from './prune-rows.js';
import { SequenceStep } from './sequence-step.js';
import {
  addSubmission,
  changeSubmission,
  listSubmissions,
  type NewSubmission,
  type SubmissionRow,
  type SubmissionState,
} from './submission-rows.js';
import { readTreeNodes, type TreeName, type TreePosition } from './tree-rows.js';

/** A rollup in PostgreSQL. Several processes may use one at the same time. */
export interface RollupStore {
  /** Stores which rollup it is, the first time. Fails: RollupStoreError when it is another one */
  claimIdentity(identity: RollupIdentity, formerKeys?: readonly Point[]): Promise<void>;
  /** Stores the key that the operator has announced on the contract. */
  changeOperatorKey(operatorKey: Point): Promise<void>;
  findIdentity(): Promise<RollupIdentity | undefined>;

  /** Resolves when the operation is stored; those that come together are committed together. */
  accept(operation: AcceptedOperation): Promise<Acceptance>;
  findOperation(hash: bigint): Promise<StoredOperation | undefined>;
  listOperations(query: OperationQuery): Promise<StoredOperation[]>;

  /** Executed accounts; look-ups that come together become one statement. */
  findAccountById(id: number): Promise<AccountDetails | undefined>;
  findAccountByKey(publicKey: Point): Promise<AccountDetails | undefined>;
  /** As the batches up to a height leave it; as all do without one. */
  findAccount(id: number, upToHeight?: number): Promise<AccountRow | undefined>;

  /** All accounts, and those that are opaque; reads every version. */
  countAccounts(): Promise<{ readonly accounts: number; readonly opaqueAccounts: number }>;

  /** As all batches leave it; look-ups that come together become one statement. */
  findLatestAccount(id: number): Promise<AccountRow | undefined>;

  /** In: 6 bytes. Look-ups that come together become one statement. */
  findMoneyOrder(totalIndex: number): Promise<FoundMoneyOrder | undefined>;
  listReceivedOrders(query: ReceivedQuery): Promise<StoredMoneyOrder[]>;
  /** Orders in a batch that these accounts received, by total index. */
  listBatchReceived(height: number, accountIds: readonly number[]): Promise<StoredMoneyOrder[]>;
  /** The latest total index below one at which the account received an order of an amount or more. */
  previousOrder(accountId: number, before: number, minAmount: bigint): Promise<number | undefined>;
  /** Hashes of the orders of a batch by place; an empty place is 0. */
  batchOrders(height: number): Promise<readonly bigint[]>;
  treeNodes(
    tree: TreeName,
    positions: readonly TreePosition[],
    upToHeight: number,
  ): Promise<ReadonlyMap<string, bigint>>;

  /** Runs a change of the sequence: a transaction under its lock. Fails as the work does, with nothing changed */
  sequence<Result>(work: (step: SequenceStep) => Promise<Result>): Promise<Result>;
  readHead(): Promise<SequenceHead>;

  findBatch(height: number): Promise<BatchRow | undefined>;
  /** The lowest ones in the state. */
  listBatches(state: BatchState, limit: number): Promise<BatchRow[]>;
  /** How many there are in each of the states before the last. */
  countBatches(): Promise<ReadonlyMap<Exclude<BatchState, 'final'>, number>>;
  readBacklog(): Promise<Backlog>;
  /** The batches that are not final yet. In: limit — of the lowest ones */
  readQueue(limit: number): Promise<BatchQueue>;
  /** Height of the latest batch that is final on the chain; 0 before the first. Calls that come together share an answer. */
  finalHeight(): Promise<number>;
  /** Out: false, and nothing is changed, when the batch is not in that state */
  changeBatch(place: BatchPlaceInState, change: BatchChange): Promise<boolean>;
  /** Encoded witness and public inputs of an assembled batch, until it is final. */
  readProving(height: number): Promise<Uint8Array | undefined>;

  /** Forgets what final batches of a range replaced; both heights are included. */
  pruneReplaced(range: { readonly from: number; readonly to: number }): Promise<void>;

  /** The latest blocks that were read, newest first; the first is the cursor. */
  listChainBlocks(limit: number): Promise<ChainBlockRow[]>;
  /** Stores what blocks after the cursor say; it stays, so that they come again. */
  addChainEvents(events: ChainEvents): Promise<void>;
  /** Stores what a range of blocks says and the cursor behind it, in one transaction. */
  advanceChain(events: ChainEvents, blocks: readonly ChainBlockRow[]): Promise<void>;
  /** Forgets blocks above a number. Out: false when a batch has taken one of their deposits */
  rewindChain(toNumber: number): Promise<boolean>;
  /** Calls that come together share an answer. */
  listTokens(): Promise<TokenRow[]>;
  listOverdueRequests(atSeconds: number, limit: number): Promise<OutboundRequestRow[]>;

  addSubmission(submission: NewSubmission): Promise<void>;
  listSubmissions(batchHeight: number): Promise<SubmissionRow[]>;
  changeSubmission(
    transactionHash: Hash,
    change: { readonly state: SubmissionState; readonly failure?: string | undefined },
  ): Promise<void>;
}

export function openRollupStore(database: Database): RollupStore {
  const { pool } = database;
  const acceptance = new CommitGroup<AcceptedOperation, Acceptance>((group) =>
    acceptOperations(database, group),
  );
  return {
    claimIdentity: (identity, formerKeys = []) => claimIdentity(pool, identity, formerKeys),
    changeOperatorKey: (operatorKey) => changeOperatorKey(pool, operatorKey),
    findIdentity: () => findIdentity(pool),
    accept: (operation) => acceptance.add(operation),
    findOperation: (hash) => findOperation(pool, hash),
    listOperations: (query) => listOperations(pool, query),
    ...accountLookups(database),
    countAccounts: () => countAccounts(pool),
    findAccount: async (id, upToHeight) => (await findAccounts(pool, [id], upToHeight))[0],
    findMoneyOrder: orderLookup(database),
    listBatchReceived: (height, accountIds) => findBatchReceived(pool, height, accountIds),
    listReceivedOrders: (query) => listReceivedOrders(pool, query),
    previousOrder: async (accountId, before, minAmount) =>
      (await findPreviousOrders(pool, [{ accountId, before }], minAmount))[0],
    batchOrders: async (height) => (await findBatchOrders(pool, [height])).get(height) ?? [],
    treeNodes: (tree, positions, upToHeight) => readTreeNodes(pool, tree, positions, upToHeight),
    sequence: (work) => SequenceStep.run(database, work),
    readHead: () => readHead(pool),
    findBatch: async (height) => (await findBatches(pool, [height]))[0],
    listBatches: (state, limit) => listBatches(pool, state, limit),
    countBatches: () => countBatches(pool),
    readBacklog: () => readBacklog(pool),
    readQueue: (limit) => readQueue(pool, limit),
    finalHeight: shared(() => findFinalHeight(pool)),
    changeBatch: (place, change) => changeBatch(pool, place, change),
    readProving: (height) => readProving(pool, height),
    listChainBlocks: (limit) => listChainBlocks(pool, limit),
    addChainEvents: (events) => addChainEvents(database, events),
    advanceChain: (events, blocks) => advanceChain(database, events, blocks),
    rewindChain: (toNumber) => rewindChain(database, toNumber),
    listTokens: shared(() => listTokens(pool)),
    listOverdueRequests: (atSeconds, limit) => listOverdueRequests(pool, atSeconds, limit),
    addSubmission: (submission) => addSubmission(pool, submission),
    listSubmissions: (batchHeight) => listSubmissions(pool, batchHeight),
    changeSubmission: (transactionHash, change) => changeSubmission(pool, transactionHash, change),
    pruneReplaced: (range) => pruneReplaced(database, range),
  };
}

/** Concurrent calls share one query. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined;
  return () => (underWay ??= read().finally(() => (underWay = undefined)));
}

/** Statements of one kind of look-up under way at a time. */
const LOOKUPS = 2;

function orderLookup({ pool }: Database): RollupStore['findMoneyOrder'] {
  const bytesOf = (totalIndex: number) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUIntBE(totalIndex, 0, 6);
    return bytes;
  };
  const lookup = new LookupGroup<FoundMoneyOrder>({
    ...{ statements: LOOKUPS, start: queueMicrotask },
    read: (keys) =>
      findMoneyOrders(
        pool,
        keys.map((key) => key.readUIntBE(0, 6)),
      ),
    keyOf: ({ totalIndex }) => bytesOf(totalIndex),
  });
  return (totalIndex) => lookup.find(bytesOf(totalIndex));
}

function accountLookups(
  database: Database,
): Pick<RollupStore, 'findAccountById' | 'findAccountByKey' | 'findLatestAccount'> {
  const options = { statements: LOOKUPS, start: queueMicrotask };
  const byId = new LookupGroup<AccountDetails>({
    ...options,
    read: (keys) => findAccountDetails(database.pool, { ids: keys.map((key) => key.readUInt32BE()) }),
    keyOf: ({ id }) => idBytes(id),
  });
  const byKey = new LookupGroup<AccountDetails>({
    ...options,
    read: (keys) => findAccountDetails(database.pool, { keys }),
    keyOf: ({ publicKey }) => encodePoint(publicKey),
  });
  const latest = new LookupGroup<AccountRow>({
    ...options,
    read: (keys) =>
      findAccounts(
        database.pool,
        keys.map((key) => key.readUInt32BE()),
      ),
    keyOf: ({ id }) => idBytes(id),
  });
  return {
    findLatestAccount: (id) => latest.find(idBytes(id)),
    findAccountById: (id) => byId.find(idBytes(id)),
    findAccountByKey: (publicKey) => byKey.find(asBuffer(encodePoint(publicKey))),
  };
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}
