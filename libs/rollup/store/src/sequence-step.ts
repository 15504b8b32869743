import { asBuffer, type Database } from '@tetrad/db';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import type { StoredAccount } from './account-rows.js';
import { insertAdopted, type AdoptablePlace, type AdoptedOperation } from './adoption-rows.js';
import { readBatchItems, type BatchItem } from './batch-items.js';
import type { BatchChange, BatchRoots, StoredBatch } from './batch-rows.js';
import { changeBatch } from './batches.js';
import type { Deposit } from './deposit-rows.js';
import type { BatchPlace, ExecutionWrite } from './execution-rows.js';
import { deleteOpaquePlaces } from './hot/delete-opaque-places.js';
import { executedAt } from './hot/executed-at.js';
import { findFinalHeight } from './hot/final-height.js';
import { findAccountDetails } from './hot/find-account-details.js';
import { findAccounts } from './hot/find-accounts.js';
import { findAdoptable } from './hot/find-adoptable.js';
import { findBatches } from './hot/find-batches.js';
import { findBatchOrders } from './hot/find-batch-orders.js';
import { findMoneyOrders } from './hot/find-money-orders.js';
import { findOpaqueCreations } from './hot/find-opaque-creations.js';
import { findPreviousOrders } from './hot/find-previous-orders.js';
import { insertOpaquePlaces } from './hot/insert-opaque-places.js';
import { findHoldings } from './hot/proved-holdings.js';
import { lockHead } from './hot/read-head.js';
import { readTreeNodes } from './hot/read-tree-nodes.js';
import { readyDeposits } from './hot/ready-deposits.js';
import { readyOperations, type ReadyOperations } from './hot/ready-operations.js';
import { writeAssembly } from './hot/write-assembly.js';
import { writeHead } from './hot/write-head.js';
import { writeTreeNodes } from './hot/write-tree-nodes.js';
import type { FoundMoneyOrder, PreviousOrderQuery } from './money-order-rows.js';
import { findOpaqueHistory, type OpaquePlace, type Registration } from './opaque-rows.js';
import type { StoredOperation } from './operation-rows.js';
import type { ProvedHolding } from './proved-holdings.js';
import { rejectRegistrations } from './reject-registrations.js';
import { failRequest, type OpenRequest, type RequestPlace, type TokenProgress } from './requests.js';
import { rewindTo } from './rewind.js';
import { callsOn, type RollupCalls } from './rollup-client.js';
import { RollupStoreError } from './rollup-store-error.js';
import type { SequenceHead } from './sequence-head.js';
import type { Statements } from './statements.js';
import { leaveRequests, takeOpenRequests, takeRequestedWith } from './take-requests.js';
import type { TreeName, TreePosition, TreeWrite } from './tree-rows.js';
import { writeExecution } from './write-execution.js';

/**
 * One change of the sequence: a transaction that holds its lock, so that no other process executes, seals, assembles or
 * rewinds until it ends.
 */
export class SequenceStep {
  private joined: Promise<RollupCalls> | undefined;

  private constructor(
    private readonly statements: Statements,
    private current: SequenceHead,
  ) {}

  /** The head of the sequence, with the changes of this step. */
  get head(): SequenceHead {
    return this.current;
  }

  static run<Result>(database: Database, work: (step: SequenceStep) => Promise<Result>): Promise<Result> {
    return database.transaction(async (statements) =>
      work(new SequenceStep(statements, await lockHead(statements))),
    );
  }

  /** Pending operations that can be executed, in turns, except those that are being replaced; so many without these. */
  readyOperations(limit: number, without: readonly number[]): Promise<ReadyOperations> {
    return readyOperations(this.statements, limit, without);
  }

  /** What holders have asked the contract for and is next of its account, the largest share first. */
  openRequests(progress: readonly TokenProgress[], limit: number): Promise<OpenRequest[]> {
    return takeOpenRequests(this.statements, progress, limit);
  }

  /** Leaves requests that get no place in this step as they were. */
  async leaveRequests(requests: readonly OpenRequest[]): Promise<void> {
    if (requests.some(({ isNew }) => isNew)) await leaveRequests(await this.calls(), requests);
  }

  /** What an account was asked for with a nonce. */
  requestedWith(accountId: number, nonce: number): Promise<StoredOperation[]> {
    return takeRequestedWith(this.statements, accountId, nonce);
  }

  /** What was proved of accounts with the requests that are in a batch. */
  provedHoldings(batchHeight: number, accountIds: readonly number[]): Promise<ProvedHolding[]> {
    return findHoldings(this.statements, batchHeight, accountIds);
  }

  async failRequest(place: RequestPlace, failure: string): Promise<void> {
    await failRequest(await this.calls(), place, failure);
  }

  /** Deposits that no batch has taken, in the order of the contract. */
  async readyDeposits(limit: number): Promise<Deposit[]> {
    const from = this.head.nextInbound;
    const deposits = await readyDeposits(this.statements, { from, limit });
    // A gap is one that the follower has yet to read.
    return deposits.filter(({ index }, place) => index === from + place);
  }

  /**
   * @param upToHeight - the height up to which batches count; all without one
   * @throws RollupStoreError
   */
  accounts(ids: readonly number[], upToHeight?: number): Promise<StoredAccount[]> {
    return findAccounts(this.statements, ids, upToHeight);
  }

  /** Whether an executed creation has given the key an account. */
  async hasAccount(publicKey: Point): Promise<boolean> {
    const keys = [asBuffer(encodePoint(publicKey))];
    return (await findAccountDetails(this.statements, { keys })).length > 0;
  }

  moneyOrders(totalIndexes: readonly number[]): Promise<FoundMoneyOrder[]> {
    return findMoneyOrders(this.statements, totalIndexes);
  }

  /** @param minAmount - orders of a smaller amount do not count */
  previousOrders(queries: readonly PreviousOrderQuery[], minAmount: bigint): Promise<(number | undefined)[]> {
    return findPreviousOrders(this.statements, queries, minAmount);
  }

  batchOrders(heights: readonly number[]): Promise<Map<number, bigint[]>> {
    return findBatchOrders(this.statements, heights);
  }

  treeNodes(
    tree: TreeName,
    positions: readonly TreePosition[],
    upToHeight: number,
  ): Promise<ReadonlyMap<string, bigint>> {
    return readTreeNodes(this.statements, tree, positions, upToHeight);
  }

  /** @throws RollupStoreError when it does not exist */
  async batch(height: number): Promise<StoredBatch> {
    const [row] = await findBatches(this.statements, [height]);
    if (row === undefined) throw new RollupStoreError(`batch ${height} is missing in the database`);
    return row;
  }

  /** Operations, deposits and credits of a batch. */
  batchItems(batch: Pick<StoredBatch, 'height' | 'operations'>): Promise<BatchItem[]> {
    return readBatchItems(this.statements, batch, () => this.calls());
  }

  /**
   * Writes what was executed, and where that leaves the sequence.
   * @returns the head as it is stored
   */
  async execute(write: ExecutionWrite, head: SequenceHead): Promise<SequenceHead> {
    await writeExecution(this.statements, write, () => this.calls());
    return this.writeHead(head);
  }

  /**
   * Writes the trees of the sealed batch after `assembledHeight`.
   * @returns the head as it is stored
   */
  async assemble(written: {
    readonly roots: BatchRoots;
    /** Undefined for a batch that the chain has already. */
    readonly proving: Uint8Array | undefined;
    readonly accountNodes: readonly TreeWrite[];
    readonly historyNodes: readonly TreeWrite[];
  }): Promise<SequenceHead> {
    const height = this.head.assembledHeight + 1;
    await writeTreeNodes(this.statements, 'account', height, written.accountNodes);
    await writeTreeNodes(this.statements, 'history', height, written.historyNodes);
    await writeAssembly(this.statements, height, written);
    return this.writeHead({ ...this.head, assembledHeight: height });
  }

  /**
   * Takes back every batch from a height on: what was executed in them is pending again.
   * @returns the head as it is stored
   */
  async rewind(height: number): Promise<SequenceHead> {
    return this.writeHead(await rewindTo(await this.calls(), this.head, height));
  }

  /** The operations of these rows that the other submitter's batch may contain; none that was executed before it. */
  adoptable(place: AdoptablePlace): Promise<StoredOperation[]> {
    return findAdoptable(this.statements, place);
  }

  /** Stores an operation that only the chain knows of. */
  addAdopted(accepted: AdoptedOperation): Promise<StoredOperation> {
    return insertAdopted({ statements: this.statements, calls: () => this.calls() }, accepted);
  }

  /**
   * Makes an assembled batch final.
   * @throws RollupStoreError when it is in another state than sealed
   */
  async finalize(height: number, at: Omit<BatchChange, 'state'>): Promise<void> {
    const change = { ...at, state: 'final' } as const;
    if (!(await changeBatch(await this.calls(), { height, from: 'sealed' }, change)))
      throw new RollupStoreError(`batch ${height} is not sealed`);
  }

  /** The operation that was executed here at a place; undefined when another submitter's was. */
  executedAt(place: BatchPlace): Promise<StoredOperation | undefined> {
    return executedAt(this.statements, place);
  }

  /** Height of the last final batch. */
  finalHeight(): Promise<number> {
    return findFinalHeight(this.statements);
  }

  /** Keeps what of a batch cannot be read. */
  addOpaque(places: readonly OpaquePlace[]): Promise<void> {
    return insertOpaquePlaces(this.statements, places);
  }

  /** Creations of opaque accounts that may be those of registrations. */
  opaqueCreations(registrations: readonly Registration[]): Promise<OpaquePlace[]> {
    return findOpaqueCreations(this.statements, registrations);
  }

  /** Registrations that can never be executed; their keys are free again. */
  async rejectRegistrations(registrations: readonly StoredOperation[]): Promise<void> {
    const sequences = registrations.map(({ sequence }) => sequence);
    if (sequences.length > 0) await rejectRegistrations(await this.calls(), sequences);
  }

  async opaqueHistory(accountId: number): Promise<OpaquePlace[]> {
    return findOpaqueHistory(await this.calls(), accountId);
  }

  /** Forgets places that are read now. */
  removeOpaque(places: readonly BatchPlace[]): Promise<void> {
    return deleteOpaquePlaces(this.statements, places);
  }

  /** What a step does now and then, in its transaction; without it, the client is not loaded. */
  private calls(): Promise<RollupCalls> {
    return (this.joined ??= callsOn(this.statements));
  }

  private async writeHead(head: SequenceHead): Promise<SequenceHead> {
    this.current = await writeHead(this.statements, head);
    return this.current;
  }
}
