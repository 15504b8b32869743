import {
  inboundMoneyOrder,
  moneyOrderHash,
  totalIndex,
  type MoneyOrder,
  type Point,
} from '@tetrad/rollup-crypto';
import {
  creditAfter,
  directOrder,
  executeOperation,
  isReadable,
  type Account,
  type CreditBatch,
  type Effects,
  type Execution,
  type KnownAccount,
  type ProvedAccount,
  type RollupOperation,
  type StateView,
} from '@tetrad/rollup-state';
import type {
  AccountVersion,
  BatchPlace,
  Deposit,
  ExecutedOperation,
  ExecutionWrite,
  OpaquePlace,
  PublicPlace,
  SequenceHead,
  StoredOperation,
  WrittenBatch,
} from '@tetrad/rollup-store';
import type { BatchSizes } from './batch-sizes.js';
import { executionView, type OrderReads } from './execution-reads.js';
import { opaquePlaceOf } from './proved-account.js';

/** What executing reads: everything is at hand. */
export interface ExecutionReads extends OrderReads {
  account(id: number): Account | undefined;
}

/** How the batches of a plan are closed. */
export interface PlanSizes {
  readonly sizes: BatchSizes;
  /** Operations and deposits that the plan will be given; without the number, all batches get as full as they can. */
  readonly given?: number | undefined;
}

/** A payment or deposit, and what its receiver is after the credit. */
interface PlannedCredit {
  readonly order: MoneyOrder;
  readonly after: Account;
}

/** What a place on the chain turned out to be, as far as it can be read. */
interface ReadPlace {
  readonly after: Account | undefined;
  readonly stored: StoredOperation | undefined;
  readonly order: { readonly hash: bigint; readonly order: MoneyOrder | undefined } | undefined;
}

/**
 * Executes operations one after the other and gives each its place: a pure function of head, reads and operations. A batch
 * that is full is sealed, and the next one opens.
 */
export class ExecutionPlan {
  private readonly executed: ExecutedOperation[] = [];
  private readonly rejected: { sequence: number; reason: string }[] = [];
  private readonly waiting: number[] = [];
  private readonly deposits: ({ index: number } & BatchPlace)[] = [];
  private readonly created: ExecutionWrite['created'][number][] = [];
  private readonly versions = new Map<string, AccountVersion>();
  private readonly opaque = new Map<number, Pick<AccountVersion, 'id' | 'batchHeight'>>();
  private readonly orders: ExecutionWrite['orders'][number][] = [];
  private readonly redeemed: ExecutionWrite['redeemed'][number][] = [];
  private readonly credits: ExecutionWrite['credits'][number][] = [];
  private readonly batches = new Map<number, WrittenBatch>();
  private readonly requestedPlaces: OpaquePlace[] = [];
  private readonly changedAccounts = new Map<number, Account>();
  private readonly view: StateView;
  private readonly sizes: BatchSizes;
  /** What it will be given yet. */
  private following: number;
  private currentHead: SequenceHead;

  /**
   * @param head - where the sequence stands
   * @param sizes - how batches are closed
   * @param reads - what executing reads
   * @param consentDomain - which rollup it is, where it has consents: what may be credited is; undefined where nothing is
   */
  constructor(
    head: SequenceHead,
    { sizes, given = Infinity }: PlanSizes,
    reads: ExecutionReads,
    private readonly consentDomain?: bigint,
  ) {
    this.currentHead = head;
    this.sizes = sizes;
    this.following = given;
    this.view = executionView(
      (id) => this.changedAccounts.get(id) ?? reads.account(id),
      reads,
      () => this.currentHead.openHeight,
    );
  }

  get head(): SequenceHead {
    return this.currentHead;
  }

  /** Accounts that changed, as they are now. */
  get accounts(): ReadonlyMap<number, Account> {
    return this.changedAccounts;
  }

  get write(): ExecutionWrite {
    return {
      executed: this.executed,
      rejected: this.rejected,
      waiting: this.waiting,
      deposits: this.deposits,
      created: this.created,
      versions: [...this.versions.values()],
      opaque: [...this.opaque.values()],
      orders: this.orders,
      redeemed: this.redeemed,
      credits: this.credits,
      batches: [...this.batches.values()],
    };
  }

  /** Places of operations on accounts that cannot be read. */
  get opaquePlaces(): readonly OpaquePlace[] {
    return this.requestedPlaces;
  }

  /**
   * Takes the deposit that is next on the contract.
   *
   * @param deposit - that is next
   * @param mayBeCredited - whether it is where its receiver lets it be; otherwise it becomes an order
   */
  takeDeposit(deposit: Deposit, mayBeCredited = false): void {
    this.following -= 1;
    const { index, accountId, tokenId, amount } = deposit;
    const operation = { kind: 'inboundTransfer', index, accountId, tokenId, amount } as const;
    const credit = mayBeCredited ? this.creditOf(operation) : undefined;
    if (credit !== undefined) this.makeRoom();
    if (credit === undefined) this.addOrder(this.nextPlace(), inboundMoneyOrder(deposit));
    this.placeDeposit(index, credit !== undefined);
    if (credit !== undefined) this.takeCredit(credit);
  }

  /**
   * Places a deposit as the chain has it.
   *
   * @param deposit - that a batch of the chain has taken
   * @param isCredited - whether that batch credits it
   */
  takeReadDeposit(deposit: Deposit, isCredited: boolean): void {
    if (!isCredited) this.addOrder(this.nextPlace(), inboundMoneyOrder(deposit));
    this.placeDeposit(deposit.index, false);
  }

  private placeDeposit(index: number, staysOpen: boolean): void {
    this.deposits.push({ index, ...this.nextPlace() });
    this.currentHead = { ...this.currentHead, nextInbound: index + 1 };
    this.takePlace(staysOpen);
  }

  execute(stored: StoredOperation): void {
    this.run(stored, this.view);
  }

  /**
   * Executes what a holder has asked the contract for. It may forfeit earlier orders: the circuit lets it, and the operator has to
   * make it.
   *
   * @param stored - the operation
   * @param proved - its account, when that cannot be read
   * @returns why it cannot be executed; undefined when it was
   */
  executeRequested(stored: StoredOperation, proved?: ProvedAccount): string | undefined {
    const view = { ...this.view, hasOpenOrder: () => false };
    const execution = this.run(stored, proved === undefined ? view : { ...view, account: () => proved });
    if (execution.status === 'EXECUTED') return undefined;
    return execution.status === 'REJECTED' ? execution.reason : execution.status;
  }

  private run(stored: StoredOperation, view: StateView): Execution {
    this.following -= 1;
    const { sequence } = stored;
    const operation = rollupOperation(stored, this.currentHead.nextAccountId);
    const execution = executeOperation({ ...view, credits: this.creditBatch() }, operation);
    if (execution.status === 'REJECTED') this.rejected.push({ sequence, reason: execution.reason });
    else if (execution.status === 'WAITING') this.waiting.push(sequence);
    else this.add(sequence, operation, execution.effects);
    return execution;
  }

  /** As what is planned leaves it; undefined when it is not changed, or is opaque. */
  account(id: number): Account | undefined {
    return this.changedAccounts.get(id);
  }

  /** Whether what is planned leaves the account in a state that cannot be read. */
  isOpaque(id: number): boolean {
    return this.opaque.has(id);
  }

  /** Whether the row with this sequence number has a place. */
  hasTaken(sequence: number): boolean {
    return this.executed.some((executed) => executed.sequence === sequence);
  }

  /** Whether an account with this key is made. */
  hasCreated({ x, y }: Point): boolean {
    return this.created.some(({ publicKey }) => publicKey.x === x && publicKey.y === y);
  }

  /** A place in which nothing happens. */
  skip(): void {
    this.takePlace();
  }

  /** Takes what was read of a place on the chain, and proved there; without the account afterwards, that is opaque. */
  takeRead({ kind, accountId }: PublicPlace, { after, stored, order }: ReadPlace): void {
    const place = this.nextPlace();
    const index = order === undefined ? undefined : this.addOrder(place, order.order, order.hash);
    if (after !== undefined && stored !== undefined) {
      const operation = rollupOperation(stored, accountId);
      this.record(stored.sequence, operation, {
        account: after,
        index: index ?? creditedIndex(operation, place) ?? redeemedIndex(operation),
      });
    }
    if (kind === 'createAccount') this.currentHead = { ...this.currentHead, nextAccountId: accountId + 1 };
    if (after === undefined) this.becomeOpaque(accountId);
    else this.change(after);
    this.takePlace();
  }

  /** Takes a credit that was read of the chain; without the account afterwards, that is opaque. */
  takeReadCredit({ accountId }: PublicPlace, credit: PlannedCredit | undefined): void {
    if (credit !== undefined) return this.takeCredit(credit);
    this.becomeOpaque(accountId);
    this.takePlace();
  }

  /**
   * Seals the open batch as it is. Takes nothing when it is empty.
   */
  seal(): void {
    if (this.currentHead.openIndex === 0) return;
    this.writeBatch('sealed', this.currentHead.openIndex);
    this.openNext();
  }

  private add(sequence: number, operation: RollupOperation, { after, order }: Effects): void {
    const account = after as KnownAccount;
    const credit = this.creditOf(operation, account);
    if (credit !== undefined) this.makeRoom();
    const index = this.indexOf(operation, { order, isCredited: credit !== undefined });
    this.record(sequence, operation, { account, index });
    if (operation.kind === 'createAccount')
      this.currentHead = { ...this.currentHead, nextAccountId: account.id + 1 };
    if (isReadable(account)) this.change(account);
    else this.changeOpaque(operation, account);
    this.takePlace(credit !== undefined);
    if (credit !== undefined) this.takeCredit(credit);
  }

  /** Of the order that the operation makes or redeems; one that is credited has a place and is no order. */
  private indexOf(
    operation: RollupOperation,
    { order, isCredited }: { readonly order: MoneyOrder | undefined; readonly isCredited: boolean },
  ): number | undefined {
    if (order === undefined) return redeemedIndex(operation);
    const place = this.nextPlace();
    return isCredited ? creditedIndex(operation, place) : this.addOrder(place, order);
  }

  private creditBatch(before?: MoneyOrder): CreditBatch | undefined {
    const { consentDomain: domain } = this;
    return domain === undefined ? undefined : { domain, height: this.currentHead.openHeight, before };
  }

  /**
   * What an operation that can be executed credits, in the batch where both have a place.
   * @param changed - the account that it changes, afterwards
   * @returns undefined where it becomes an order
   */
  private creditOf(operation: RollupOperation, changed?: KnownAccount): PlannedCredit | undefined {
    const { consentDomain: domain } = this;
    const order = directOrder(operation);
    if (domain === undefined || order === undefined || this.sizes.largest < PAIR) return undefined;
    const { toAccountId } = order;
    const receiver = changed?.id === toAccountId ? changed : this.readable(toAccountId);
    const { openHeight } = this.currentHead;
    const height = this.hasRoom ? openHeight : openHeight + 1;
    const credit = creditAfter({ domain, height }, operation, receiver);
    if (credit === undefined) return undefined;
    const view = { ...this.view, account: () => receiver, credits: { domain, height, before: order } };
    const execution = executeOperation(view, credit);
    if (execution.status !== 'EXECUTED') return undefined;
    return { order, after: execution.effects.after as Account };
  }

  private readable(id: number): KnownAccount | undefined {
    return this.isOpaque(id) ? undefined : this.view.account(id);
  }

  /** Whether the open batch has places for an operation and its credit. */
  private get hasRoom(): boolean {
    return this.currentHead.openIndex + PAIR <= this.sizes.largest;
  }

  /** An operation and its credit are in one batch. */
  private makeRoom(): void {
    if (!this.hasRoom) this.seal();
  }

  private takeCredit({ order, after }: PlannedCredit): void {
    const { batchHeight, batchIndex } = this.nextPlace();
    this.credits.push({ totalIndex: totalIndex(batchHeight, batchIndex), batchHeight, order });
    this.change(after);
    this.takePlace();
  }

  private changeOpaque(operation: RollupOperation, account: ProvedAccount): void {
    if (operation.kind !== 'outboundTransfer' && operation.kind !== 'redeemMoneyOrder')
      throw new TypeError(`${operation.kind} is not requested`);
    this.requestedPlaces.push(opaquePlaceOf(this.nextPlace(), operation, account));
    this.becomeOpaque(account.id);
  }

  /** What becomes of the row of an operation, and with it of accounts and orders that have rows. */
  private record(
    sequence: number,
    operation: RollupOperation,
    { account, index }: { readonly account: KnownAccount; readonly index: number | undefined },
  ): void {
    const place = this.nextPlace();
    const { batchHeight } = place;
    this.executed.push({ sequence, accountId: account.id, totalIndex: index, ...place });
    if (operation.kind === 'createAccount')
      this.created.push({ publicKey: account.publicKey, id: account.id, createdHeight: batchHeight });
    if (operation.kind === 'redeemMoneyOrder')
      this.redeemed.push({ totalIndex: operation.totalIndex, batchHeight, order: operation.order });
  }

  private change(account: Account): void {
    const { openHeight: batchHeight } = this.currentHead;
    this.changedAccounts.set(account.id, account);
    this.versions.set(`${account.id}/${batchHeight}`, { ...account, batchHeight });
  }

  private becomeOpaque(id: number): void {
    this.changedAccounts.delete(id);
    this.opaque.set(id, { id, batchHeight: this.currentHead.openHeight });
  }

  private addOrder(place: BatchPlace, order: MoneyOrder): number;
  private addOrder(place: BatchPlace, order: MoneyOrder | undefined, hash: bigint): number;
  private addOrder(
    { batchHeight, batchIndex }: BatchPlace,
    order: MoneyOrder | undefined,
    hash?: bigint,
  ): number {
    const index = totalIndex(batchHeight, batchIndex);
    this.orders.push({ totalIndex: index, hash: hash ?? moneyOrderHash(order as MoneyOrder), order });
    return index;
  }

  private nextPlace(): BatchPlace {
    return { batchHeight: this.currentHead.openHeight, batchIndex: this.currentHead.openIndex };
  }

  /** @param staysOpen - whether the next place is of the same batch in any case */
  private takePlace(staysOpen = false): void {
    const taken = this.currentHead.openIndex + 1;
    const isFull = !staysOpen && this.sizes.isFull(taken, this.following);
    this.writeBatch(isFull ? 'sealed' : 'open', taken);
    if (isFull) this.openNext();
    else this.currentHead = { ...this.currentHead, openIndex: taken };
  }

  private writeBatch(state: 'open' | 'sealed', operations: number): void {
    const { openHeight: height, nextInbound: inboundTo } = this.currentHead;
    // Of a batch that was opened before, the row keeps where its deposits begin.
    const inboundFrom = this.batches.get(height)?.inboundFrom ?? this.inboundBefore(height);
    const size = state === 'open' ? this.sizes.largest : this.sizes.fitting(operations);
    this.batches.set(height, { height, state, operations, size, inboundFrom, inboundTo });
  }

  /** Where deposits stood before what this plan has put into the batch. */
  private inboundBefore(height: number): number {
    const taken = this.deposits.filter(({ batchHeight }) => batchHeight === height).length;
    return this.currentHead.nextInbound - taken;
  }

  private openNext(): void {
    this.currentHead = { ...this.currentHead, openHeight: this.currentHead.openHeight + 1, openIndex: 0 };
  }
}

/** Places of an operation and its credit. */
const PAIR = 2;

/** @param nextAccountId - the id that the account gets if the operation makes one */
export function rollupOperation(
  { operation, accountId }: StoredOperation,
  nextAccountId: number,
): RollupOperation {
  return operation.kind === 'createAccount'
    ? { ...operation, accountId: accountId ?? nextAccountId }
    : operation;
}

/** Of a payment that is no order, by the place at which it is. */
function creditedIndex(
  operation: RollupOperation,
  { batchHeight, batchIndex }: BatchPlace,
): number | undefined {
  return operation.kind === 'createMoneyOrder' ? totalIndex(batchHeight, batchIndex) : undefined;
}

function redeemedIndex(operation: RollupOperation): number | undefined {
  return operation.kind === 'redeemMoneyOrder' ? operation.totalIndex : undefined;
}
