import { inboundMoneyOrder, moneyOrderHash, totalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import {
  executeOperation,
  type Account,
  type Effects,
  type ExecutionView,
  type RollupOperation,
} from '@tetrad/rollup-state';
import type {
  AccountVersion,
  BatchPlace,
  DepositRow,
  ExecutedOperation,
  ExecutionWrite,
  PublicPlace,
  SequenceHead,
  StoredOperation,
  WrittenBatch,
} from '@tetrad/rollup-store';
import { executionView, type OrderReads } from './execution-reads.js';

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

/**
 * Executes operations one after the other and gives each its place: a pure function of head, reads and operations. A batch
 * that is full is sealed, and the next one opens.
 */
export class ExecutionPlan {
  readonly #executed: ExecutedOperation[] = [];
  readonly #rejected: { sequence: number; reason: string }[] = [];
  readonly #waiting: number[] = [];
  readonly #deposits: ({ index: number } & BatchPlace)[] = [];
  readonly #created: ExecutionWrite['created'][number][] = [];
  readonly #versions = new Map<string, AccountVersion>();
  readonly #opaque = new Map<number, Pick<AccountVersion, 'id' | 'batchHeight'>>();
  readonly #orders: ExecutionWrite['orders'][number][] = [];
  readonly #redeemed: ExecutionWrite['redeemed'][number][] = [];
  readonly #batches = new Map<number, WrittenBatch>();
  readonly #accounts = new Map<number, Account>();
  readonly #view: ExecutionView;
  #head: SequenceHead;

  constructor(
    head: SequenceHead,
    private readonly size: number,
    reads: ExecutionReads,
  ) {
    this.#head = head;
    this.#view = executionView(
      (id) => this.#accounts.get(id) ?? reads.account(id),
      reads,
      () => this.#head.openHeight,
    );
  }

  get head(): SequenceHead {
    return this.#head;
  }

  /** Accounts that changed, as they are now. */
  get accounts(): ReadonlyMap<number, Account> {
    return this.#accounts;
  }

  get write(): ExecutionWrite {
    return {
      ...{ executed: this.#executed, rejected: this.#rejected, waiting: this.#waiting },
      ...{ deposits: this.#deposits, created: this.#created, versions: [...this.#versions.values()] },
      opaque: [...this.#opaque.values()],
      ...{ orders: this.#orders, redeemed: this.#redeemed, batches: [...this.#batches.values()] },
    };
  }

  /** In: the deposit that is next on the contract. */
  takeDeposit(deposit: DepositRow): void {
    const place = this.#nextPlace();
    this.#deposits.push({ index: deposit.index, ...place });
    this.#addOrder(place, inboundMoneyOrder(deposit));
    this.#head = { ...this.#head, nextInbound: deposit.index + 1 };
    this.#takePlace();
  }

  execute(stored: StoredOperation): void {
    const { sequence } = stored;
    const operation = rollupOperation(stored, this.#head.nextAccountId);
    const execution = executeOperation(this.#view, operation);
    if (execution.status === 'REJECTED') this.#rejected.push({ sequence, reason: execution.reason });
    else if (execution.status === 'WAITING') this.#waiting.push(sequence);
    else this.#add(sequence, operation, execution.effects);
  }

  /** As what is planned leaves it; undefined when it is not changed, or is opaque. */
  account(id: number): Account | undefined {
    return this.#accounts.get(id);
  }

  /** Whether what is planned leaves the account in a state that cannot be read. */
  isOpaque(id: number): boolean {
    return this.#opaque.has(id);
  }

  /** Whether the row with this sequence number has a place. */
  hasTaken(sequence: number): boolean {
    return this.#executed.some((executed) => executed.sequence === sequence);
  }

  /** A place in which nothing happens. */
  skip(): void {
    this.#takePlace();
  }

  /** Takes what was read of a place on the chain, and proved there; without the account afterwards, that is opaque. */
  takeRead({ kind, accountId }: PublicPlace, { after, stored, order }: ReadPlace): void {
    const place = this.#nextPlace();
    const index = order === undefined ? undefined : this.#addOrder(place, order.order, order.hash);
    if (after !== undefined && stored !== undefined) {
      const operation = rollupOperation(stored, accountId);
      this.#record(stored.sequence, operation, { account: after, index: index ?? redeemedIndex(operation) });
    }
    if (kind === 'createAccount') this.#head = { ...this.#head, nextAccountId: accountId + 1 };
    if (after === undefined) this.#becomeOpaque(accountId);
    else this.#change(after);
    this.#takePlace();
  }

  /** Seals the open batch as it is. In: nothing when it is empty */
  seal(): void {
    if (this.#head.openIndex === 0) return;
    this.#writeBatch('sealed', this.#head.openIndex);
    this.#openNext();
  }

  #add(sequence: number, operation: RollupOperation, { after, order }: Effects): void {
    const place = this.#nextPlace();
    const account = after as Account;
    const index = order === undefined ? redeemedIndex(operation) : this.#addOrder(place, order);
    this.#record(sequence, operation, { account, index });
    if (operation.kind === 'createAccount') this.#head = { ...this.#head, nextAccountId: account.id + 1 };
    this.#change(account);
    this.#takePlace();
  }

  /** What becomes of the row of an operation, and with it of accounts and orders that have rows. */
  #record(
    sequence: number,
    operation: RollupOperation,
    { account, index }: { readonly account: Account; readonly index: number | undefined },
  ): void {
    const place = this.#nextPlace();
    const { batchHeight } = place;
    this.#executed.push({ sequence, accountId: account.id, totalIndex: index, ...place });
    if (operation.kind === 'createAccount')
      this.#created.push({ publicKey: account.publicKey, id: account.id, createdHeight: batchHeight });
    if (operation.kind === 'redeemMoneyOrder')
      this.#redeemed.push({ totalIndex: operation.totalIndex, batchHeight, order: operation.order });
  }

  #change(account: Account): void {
    const { openHeight: batchHeight } = this.#head;
    this.#accounts.set(account.id, account);
    this.#versions.set(`${account.id}/${batchHeight}`, { ...account, batchHeight });
  }

  #becomeOpaque(id: number): void {
    this.#accounts.delete(id);
    this.#opaque.set(id, { id, batchHeight: this.#head.openHeight });
  }

  #addOrder(place: BatchPlace, order: MoneyOrder): number;
  #addOrder(place: BatchPlace, order: MoneyOrder | undefined, hash: bigint): number;
  #addOrder({ batchHeight, batchIndex }: BatchPlace, order: MoneyOrder | undefined, hash?: bigint): number {
    const index = totalIndex(batchHeight, batchIndex);
    this.#orders.push({ totalIndex: index, hash: hash ?? moneyOrderHash(order as MoneyOrder), order });
    return index;
  }

  #nextPlace(): BatchPlace {
    return { batchHeight: this.#head.openHeight, batchIndex: this.#head.openIndex };
  }

  #takePlace(): void {
    const taken = this.#head.openIndex + 1;
    const isFull = taken === this.size;
    this.#writeBatch(isFull ? 'sealed' : 'open', taken);
    if (isFull) this.#openNext();
    else this.#head = { ...this.#head, openIndex: taken };
  }

  #writeBatch(state: 'open' | 'sealed', operations: number): void {
    const { openHeight: height, nextInbound: inboundTo } = this.#head;
    // Of a batch that was opened before, the row keeps where its deposits begin.
    const inboundFrom = this.#batches.get(height)?.inboundFrom ?? this.#inboundBefore(height);
    this.#batches.set(height, { height, state, operations, size: this.size, inboundFrom, inboundTo });
  }

  /** Where deposits stood before what this plan has put into the batch. */
  #inboundBefore(height: number): number {
    const taken = this.#deposits.filter(({ batchHeight }) => batchHeight === height).length;
    return this.#head.nextInbound - taken;
  }

  #openNext(): void {
    this.#head = { ...this.#head, openHeight: this.#head.openHeight + 1, openIndex: 0 };
  }
}

/** In: the id that the account gets if the operation makes one. */
export function rollupOperation(
  { operation, accountId }: StoredOperation,
  nextAccountId: number,
): RollupOperation {
  return operation.kind === 'createAccount'
    ? { ...operation, accountId: accountId ?? nextAccountId }
    : operation;
}

function redeemedIndex(operation: RollupOperation): number | undefined {
  return operation.kind === 'redeemMoneyOrder' ? operation.totalIndex : undefined;
}
