import { CommitGroup, type Database } from '@tetrad/db';
import type { Point } from '@tetrad/rollup-crypto';
import type { Hash } from '@tetrad/types';
import { OperationIntake, type Acceptance } from './accept-operations.js';
import type { AcceptanceBounds } from './acceptance-bounds.js';
import { BoundedLists } from './bounded-lists.js';
import { openLookups, type Lookups } from './lookups.js';
import type { StoredAccount } from './account-rows.js';
import { readBacklog, type Backlog } from './backlog-rows.js';
import type { BatchChange, BatchPlaceInState, StoredBatch, BatchState } from './batch-rows.js';
import { changeBatch, listLastSealed, readProving } from './batches.js';
import type { ChainBlock, ChainEvents, FrozenRollup, OutboundRequest, Token } from './chain-events.js';
import { addChainEvents, advanceChain, listOverdueRequests, rewindChain } from './chain-rows.js';
import {
  changeConsents,
  changeExitRules,
  changeOperatorKey,
  claimIdentity,
  findConsents,
  findExitRules,
} from './claim-identity.js';
import { listCredits, type CreditQuery, type StoredCredit } from './credit-rows.js';
import { countAccounts, type AccountCounts } from './hot/count-accounts.js';
import { findChangedProgress } from './hot/changed-progress.js';
import { countBatches } from './hot/count-batches.js';
import { findFinalHeight } from './hot/final-height.js';
import { findAccounts } from './hot/find-accounts.js';
import { findBatches } from './hot/find-batches.js';
import { findBatchReceived } from './hot/find-batch-received.js';
import { findBatchOrders } from './hot/find-batch-orders.js';
import { findFrozen } from './hot/find-frozen.js';
import { findOperation } from './hot/find-operation.js';
import { findPreviousOrders } from './hot/find-previous-orders.js';
import { listBatches } from './hot/list-batches.js';
import { listChainBlocks } from './hot/list-chain-blocks.js';
import { listReceivedOrders } from './hot/list-received-orders.js';
import { listSubmissions } from './hot/list-submissions.js';
import { listTokens } from './hot/list-tokens.js';
import { readProgressMarks } from './hot/progress-marks.js';
import { pruneReplaced } from './hot/prune-replaced.js';
import { findIdentity } from './hot/read-at-start.js';
import { readHead } from './hot/read-head.js';
import { readTreeNodes } from './hot/read-tree-nodes.js';
import { readRequestLoad } from './hot/request-load.js';
import { listRequestsDue } from './hot/requests-due.js';
import { releaseLease, type LeaseClaim } from './lease-rows.js';
import { listOperations, type OperationQuery } from './list-operations.js';
import type { ReceivedQuery, StoredMoneyOrder } from './money-order-rows.js';
import type { AcceptedOperation, StoredOperation } from './operation-rows.js';
import type { AccountProgress, ProgressMarks, ProgressQuery } from './progress-rows.js';
import type { BatchQueue } from './queue-rows.js';
import { readQueue } from './read-queue.js';
import {
  listRequestedTokens,
  listUnmeasured,
  measureRequest,
  type RequestLoad,
  type RequestMeasure,
  type RequestPlace,
  type TokenProgress,
} from './requests.js';
import { RollupClient } from './rollup-client.js';
import type { RollupIdentity } from './rollup-identity.js';
import type { SequenceHead } from './sequence-head.js';
import { SequenceStep } from './sequence-step.js';
import {
  addSubmission,
  changeSubmission,
  type NewSubmission,
  type StoredSubmission,
  type SubmissionState,
} from './submission-rows.js';
import type { TreeName, TreePosition } from './tree-rows.js';

/** A rollup in PostgreSQL. Several processes may use one at the same time. */
export interface RollupStore extends Lookups {
  /**
   * Stores which rollup it is, the first time.
   * @throws RollupStoreError when it is another one
   */
  claimIdentity(identity: RollupIdentity, formerKeys?: readonly Point[]): Promise<void>;
  /** Stores the key that the operator has announced on the contract. */
  changeOperatorKey(operatorKey: Point): Promise<void>;
  findIdentity(): Promise<RollupIdentity | undefined>;
  /** Stores how holders leave the contract (`ExitRules` of rollup-chain). */
  changeExitRules(exitRules: string): Promise<void>;
  /** @returns undefined until a batcher has read it */
  findExitRules(): Promise<string | undefined>;
  /** Stores whether the contract has consents (`hasConsents` of rollup-chain), which never changes. */
  changeConsents(hasConsents: boolean): Promise<void>;
  /** @returns undefined until a batcher has read it */
  findConsents(): Promise<boolean | undefined>;

  /** Resolves when the operation is stored, or refused; those that come together are committed together. */
  accept(operation: AcceptedOperation): Promise<Acceptance>;
  findOperation(hash: bigint): Promise<StoredOperation | undefined>;
  listOperations(query: OperationQuery): Promise<StoredOperation[]>;

  /** As the batches up to a height leave it; as all do without one. */
  findAccount(id: number, upToHeight?: number): Promise<StoredAccount | undefined>;

  /** Reads every version. */
  countAccounts(): Promise<AccountCounts>;
  /** What was credited to an account, by total index. */
  listCredits(query: CreditQuery): Promise<StoredCredit[]>;

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

  findBatch(height: number): Promise<StoredBatch | undefined>;
  /** The lowest ones in the state. */
  listBatches(state: BatchState, limit: number): Promise<StoredBatch[]>;
  /** The highest ones that were closed. */
  listLastSealed(limit: number): Promise<{ readonly operations: number; readonly sealedAt: Date }[]>;
  /** How many there are in each of the states before the last. */
  countBatches(): Promise<ReadonlyMap<Exclude<BatchState, 'final'>, number>>;
  /** Counts up to a million operations. */
  readBacklog(): Promise<Backlog>;
  /**
   * The batches that are not final yet.
   * @param limit - of the lowest ones
   */
  readQueue(limit: number): Promise<BatchQueue>;
  readProgressMarks(): Promise<ProgressMarks>;
  /** Of accounts that may have changed since a look before, in no order. */
  findChangedProgress(query: ProgressQuery): Promise<AccountProgress[]>;
  /** Height of the latest batch that is final on the chain; 0 before the first. Calls that come together share an answer. */
  finalHeight(): Promise<number>;
  /** @returns false, and nothing is changed, when the batch is not in that state */
  changeBatch(place: BatchPlaceInState, change: BatchChange): Promise<boolean>;
  /** Encoded witness and public inputs of an assembled batch, until it is final. */
  readProving(height: number): Promise<Uint8Array | undefined>;

  /** Forgets what final batches of a range replaced; both heights are included. */
  pruneReplaced(range: { readonly from: number; readonly to: number }): Promise<void>;

  /** The latest blocks that were read, newest first; the first is the cursor. */
  listChainBlocks(limit: number): Promise<ChainBlock[]>;
  /** Stores what blocks after the cursor say; it stays, so that they come again. */
  addChainEvents(events: ChainEvents): Promise<void>;
  /** Stores what a range of blocks says and the cursor behind it, in one transaction. */
  advanceChain(events: ChainEvents, blocks: readonly ChainBlock[]): Promise<void>;
  /**
   * Forgets blocks above a number.
   * @returns false when a batch has taken one of their deposits
   */
  rewindChain(toNumber: number): Promise<boolean>;
  /** Calls that come together share an answer. */
  listTokens(): Promise<Token[]>;
  listOverdueRequests(atSeconds: number, limit: number): Promise<OutboundRequest[]>;

  /** Requests that the contract was not asked about yet. */
  listUnmeasured(limit: number): Promise<(RequestPlace & { readonly accountId: number })[]>;
  measureRequest(place: RequestPlace, measure: RequestMeasure): Promise<void>;
  /** Tokens of which a request is open. */
  listRequestedTokens(): Promise<number[]>;
  readRequestLoad(
    progress: readonly TokenProgress[],
    at: { readonly atSeconds: number; readonly timeoutSeconds: number },
  ): Promise<RequestLoad>;
  /** Accounts with open requests that are overdue until a time, the first one first. */
  listRequestsDue(
    progress: readonly TokenProgress[],
    at: Parameters<typeof listRequestsDue>[2],
  ): Promise<number[]>;
  /** @returns undefined while the contract is served. Calls that come together share an answer */
  findFrozen(): Promise<FrozenRollup | undefined>;

  addSubmission(submission: NewSubmission): Promise<void>;
  listSubmissions(batchHeight: number): Promise<StoredSubmission[]>;
  changeSubmission(
    transactionHash: Hash,
    change: { readonly state: SubmissionState; readonly failure?: string | undefined },
  ): Promise<void>;

  /** Releases a lease, so that the next holder need not wait until it expires. */
  releaseLease(claim: LeaseClaim): Promise<void>;
  /** Ends the client; the database stays open. */
  close(): Promise<void>;
}

/** @param bounds - of what is accepted; undefined for none */
export function openRollupStore(database: Database, bounds?: AcceptanceBounds): RollupStore {
  const { pool } = database;
  const client = new RollupClient(database);
  const lists = new BoundedLists(database, client);
  const intake = new OperationIntake(database, bounds);
  const acceptance = new CommitGroup<AcceptedOperation, Acceptance>((group) => intake.accept(group));
  return {
    claimIdentity: (identity, formerKeys = []) => claimIdentity(pool, identity, formerKeys),
    changeOperatorKey: async (operatorKey) => changeOperatorKey(await client.calls(), operatorKey),
    findIdentity: () => findIdentity(pool),
    changeExitRules: async (exitRules) => changeExitRules(await client.calls(), exitRules),
    findExitRules: async () => findExitRules(await client.calls()),
    changeConsents: async (hasConsents) => changeConsents(await client.calls(), hasConsents),
    findConsents: async () => findConsents(await client.calls()),
    listCredits: (query) => lists.byCalls((calls) => listCredits(calls, query)),
    accept: (operation) => acceptance.add(operation),
    findOperation: (hash) => findOperation(pool, hash),
    listOperations: (query) => lists.byCalls((calls) => listOperations(calls, query)),
    ...openLookups(pool),
    countAccounts: () => countAccounts(pool),
    findAccount: async (id, upToHeight) => (await findAccounts(pool, [id], upToHeight))[0],
    listBatchReceived: (height, accountIds) => findBatchReceived(pool, height, accountIds),
    listReceivedOrders: (query) => lists.byStatements((statements) => listReceivedOrders(statements, query)),
    previousOrder: async (accountId, before, minAmount) =>
      (await findPreviousOrders(pool, [{ accountId, before }], minAmount))[0],
    batchOrders: async (height) => (await findBatchOrders(pool, [height])).get(height) ?? [],
    treeNodes: (tree, positions, upToHeight) => readTreeNodes(pool, tree, positions, upToHeight),
    sequence: (work) => SequenceStep.run(database, work),
    readHead: () => readHead(pool),
    findBatch: async (height) => (await findBatches(pool, [height]))[0],
    listBatches: (state, limit) => listBatches(pool, state, limit),
    listLastSealed: async (limit) => listLastSealed(await client.calls(), limit),
    countBatches: () => countBatches(pool),
    readBacklog: () => readBacklog(pool),
    readQueue: (limit) => readQueue(pool, limit),
    readProgressMarks: () => readProgressMarks(pool),
    findChangedProgress: (query) => findChangedProgress(pool, query),
    finalHeight: shared(() => findFinalHeight(pool)),
    changeBatch: async (place, change) => changeBatch(await client.calls(), place, change),
    readProving: async (height) => readProving(await client.calls(), height),
    listChainBlocks: (limit) => listChainBlocks(pool, limit),
    addChainEvents: (events) => addChainEvents(database, events),
    advanceChain: (events, blocks) => advanceChain(database, events, blocks),
    rewindChain: (toNumber) => rewindChain(client, toNumber),
    listTokens: shared(() => listTokens(pool)),
    listOverdueRequests: async (atSeconds, limit) =>
      listOverdueRequests(await client.calls(), atSeconds, limit),
    listUnmeasured: async (limit) => listUnmeasured(await client.calls(), limit),
    measureRequest: async (place, measure) => measureRequest(await client.calls(), place, measure),
    listRequestedTokens: async () => listRequestedTokens(await client.calls()),
    readRequestLoad: (progress, at) => readRequestLoad(pool, progress, at),
    listRequestsDue: (progress, at) => listRequestsDue(pool, progress, at),
    findFrozen: shared(() => findFrozen(pool)),
    addSubmission: async (submission) => addSubmission(await client.calls(), submission),
    listSubmissions: (batchHeight) => listSubmissions(pool, batchHeight),
    changeSubmission: async (transactionHash, change) =>
      changeSubmission(await client.calls(), transactionHash, change),
    pruneReplaced: (range) => pruneReplaced(database, range),
    releaseLease: async (claim) => releaseLease(await client.calls(), claim),
    close: () => client.close(),
  };
}

/** Concurrent calls share one query. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined;
  return () => (underWay ??= read().finally(() => (underWay = undefined)));
}
