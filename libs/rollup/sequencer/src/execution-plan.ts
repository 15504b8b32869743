import { inboundMoneyOrder, totalIndex, type MoneyOrder, type Point } from '@tetrad/rollup-crypto';
import {
  executeOperation,
  isReadable,
  type Account,
  type Effects,
  type Execution,
  type KnownAccount,
  type ProvedAccount,
  type RollupOperation,
  type StateView,
} from '@tetrad/rollup-state';
import type {
  BatchPlace,
  Deposit,
  ExecutionWrite,
  OpaquePlace,
  PublicPlace,
  SequenceHead,
  StoredOperation,
} from '@tetrad/rollup-store';
import { BatchPlaces, type PlanSizes } from './batch-places.js';
import { DirectCredits, type PlannedCredit } from './direct-credits.js';
import { executionView, type OrderReads } from './execution-reads.js';
import { PlannedRows } from './planned-rows.js';

/** What executing reads: everything is at hand. */
export interface ExecutionReads extends OrderReads {
  account(id: number): Account | undefined;
}

/** What a place on the chain turned out to be, as far as it can be read. */
interface ReadPlace {
  readonly after: Account | undefined;
  readonly stored: StoredOperation | undefined;
  readonly order: { readonly hash: bigint; readonly order: MoneyOrder | undefined } | undefined;
}

/** Executes operations one after the other and gives each its place: a pure function of head, reads and operations. */
export class ExecutionPlan {
  private readonly places: BatchPlaces;
  private readonly rows = new PlannedRows();
  private readonly credits: DirectCredits;
  private readonly view: StateView;

  /**
   * @param head - where the sequence stands
   * @param sizes - how batches are closed
   * @param reads - what executing reads
   * @param consentDomain - which rollup it is, where it has consents: what may be credited is; undefined where nothing is
   */
  constructor(head: SequenceHead, sizes: PlanSizes, reads: ExecutionReads, consentDomain?: bigint) {
    this.places = new BatchPlaces(head, sizes);
    this.credits = new DirectCredits(consentDomain);
    this.view = executionView(
      (id) => this.account(id) ?? reads.account(id),
      reads,
      () => this.head.openHeight,
    );
  }

  get head(): SequenceHead {
    return this.places.head;
  }

  /** Accounts that changed, as they are now. */
  get accounts(): ReadonlyMap<number, Account> {
    return this.rows.accounts;
  }

  get write(): ExecutionWrite {
    return { ...this.rows.write, batches: this.places.written };
  }

  /** Places of operations on accounts that cannot be read. */
  get opaquePlaces(): readonly OpaquePlace[] {
    return this.rows.opaquePlaces;
  }

  /**
   * Takes the deposit that is next on the contract.
   *
   * @param deposit - that is next
   * @param mayBeCredited - whether it is where its receiver lets it be; otherwise it becomes an order
   */
  takeDeposit(deposit: Deposit, mayBeCredited = false): void {
    this.places.countGiven();
    const { index, accountId, tokenId, amount } = deposit;
    const operation = { kind: 'inboundTransfer', index, accountId, tokenId, amount } as const;
    const credit = mayBeCredited ? this.creditOf(operation) : undefined;
    if (credit === undefined) this.rows.addOrder(this.places.next, inboundMoneyOrder(deposit));
    else this.places.makeRoomForPair();
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
    if (!isCredited) this.rows.addOrder(this.places.next, inboundMoneyOrder(deposit));
    this.placeDeposit(deposit.index, false);
  }

  private placeDeposit(index: number, staysOpen: boolean): void {
    this.rows.deposit(index, this.places.next);
    this.places.takeInbound(index, staysOpen);
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
    this.places.countGiven();
    const { sequence } = stored;
    const operation = rollupOperation(stored, this.head.nextAccountId);
    const credits = this.credits.batchAt(this.head.openHeight);
    const execution = executeOperation({ ...view, credits }, operation);
    if (execution.status === 'REJECTED') this.rows.reject(sequence, execution.reason);
    else if (execution.status === 'WAITING') this.rows.wait(sequence);
    else this.add(sequence, operation, execution.effects);
    return execution;
  }

  /** As what is planned leaves it; undefined when it is not changed, or is opaque. */
  account(id: number): Account | undefined {
    return this.rows.accounts.get(id);
  }

  /** Whether what is planned leaves the account in a state that cannot be read. */
  isOpaque(id: number): boolean {
    return this.rows.isOpaque(id);
  }

  /** Whether the row with this sequence number has a place. */
  hasTaken(sequence: number): boolean {
    return this.rows.hasTaken(sequence);
  }

  /** Whether an account with this key is made. */
  hasCreated(publicKey: Point): boolean {
    return this.rows.hasCreated(publicKey);
  }

  /** A place in which nothing happens. */
  skip(): void {
    this.places.take();
  }

  /** Takes what was read of a place on the chain, and proved there; without the account afterwards, that is opaque. */
  takeRead({ kind, accountId }: PublicPlace, { after, stored, order }: ReadPlace): void {
    const place = this.places.next;
    const made = order === undefined ? undefined : this.rows.addOrder(place, order.order, order.hash);
    if (after !== undefined && stored !== undefined) {
      const operation = rollupOperation(stored, accountId);
      const index = made ?? creditedIndex(operation, place) ?? redeemedIndex(operation);
      this.rows.record(stored.sequence, operation, { account: after, index, ...place });
    }
    if (kind === 'createAccount') this.places.countAccount(accountId);
    if (after === undefined) this.rows.becomeOpaque(accountId, place.batchHeight);
    else this.rows.change(after, place.batchHeight);
    this.places.take();
  }

  /** Takes a credit that was read of the chain; without the account afterwards, that is opaque. */
  takeReadCredit({ accountId }: PublicPlace, credit: PlannedCredit | undefined): void {
    if (credit !== undefined) return this.takeCredit(credit);
    this.rows.becomeOpaque(accountId, this.places.next.batchHeight);
    this.places.take();
  }

  /** Seals the open batch as it is. Does nothing when it is empty. */
  seal(): void {
    this.places.seal();
  }

  private add(sequence: number, operation: RollupOperation, { after, order }: Effects): void {
    const account = after as KnownAccount;
    const credit = this.creditOf(operation, account);
    if (credit !== undefined) this.places.makeRoomForPair();
    const place = this.places.next;
    const index = this.indexOf(operation, { place, order, isCredited: credit !== undefined });
    this.rows.record(sequence, operation, { account, index, ...place });
    if (operation.kind === 'createAccount') this.places.countAccount(account.id);
    if (isReadable(account)) this.rows.change(account, place.batchHeight);
    else this.rows.changeOpaque(place, operation, account);
    this.places.take(credit !== undefined);
    if (credit !== undefined) this.takeCredit(credit);
  }

  /** The total index of the order that the operation makes or redeems; one that is credited has a place and is no order. */
  private indexOf(
    operation: RollupOperation,
    { place, order, isCredited }: { place: BatchPlace; order: MoneyOrder | undefined; isCredited: boolean },
  ): number | undefined {
    if (order === undefined) return redeemedIndex(operation);
    return isCredited ? creditedIndex(operation, place) : this.rows.addOrder(place, order);
  }

  /**
   * What an operation that can be executed credits, in the batch where both have a place.
   * @param changed - the account that it changes, afterwards
   * @returns undefined where it becomes an order
   */
  private creditOf(operation: RollupOperation, changed?: KnownAccount): PlannedCredit | undefined {
    const height = this.places.heightOfPair;
    if (height === undefined) return undefined;
    const receiver = ({ toAccountId: id }: MoneyOrder) => (changed?.id === id ? changed : this.readable(id));
    return this.credits.creditOf(operation, { height, receiver, view: this.view });
  }

  private readable(id: number): KnownAccount | undefined {
    return this.isOpaque(id) ? undefined : this.view.account(id);
  }

  private takeCredit(credit: PlannedCredit): void {
    this.rows.credit(this.places.next, credit);
    this.places.take();
  }
}

/** @param nextAccountId - the id that the account gets if the operation makes one */
export function rollupOperation(
  { operation, accountId }: StoredOperation,
  nextAccountId: number,
): RollupOperation {
  return operation.kind === 'createAccount'
    ? { ...operation, accountId: accountId ?? nextAccountId }
    : operation;
}

/** The total index that a credited payment gets by its place. */
function creditedIndex(
  operation: RollupOperation,
  { batchHeight, batchIndex }: BatchPlace,
): number | undefined {
  return operation.kind === 'createMoneyOrder' ? totalIndex(batchHeight, batchIndex) : undefined;
}

function redeemedIndex(operation: RollupOperation): number | undefined {
  return operation.kind === 'redeemMoneyOrder' ? operation.totalIndex : undefined;
}
