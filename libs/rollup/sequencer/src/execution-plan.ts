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
  SequenceHead,
  StoredOperation,
  WrittenBatch,
} from '@tetrad/rollup-store';
import { executionView, type OrderReads } from './execution-reads.js';

/** What executing reads: everything is at hand. */
export interface ExecutionReads extends OrderReads {
  account(id: number): Account | undefined;
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
    this.#executed.push({ sequence, accountId: account.id, totalIndex: index, ...place });
    if (operation.kind === 'createAccount') {
      const { publicKey, id } = account;
      this.#created.push({ publicKey, id, createdHeight: place.batchHeight });
      this.#head = { ...this.#head, nextAccountId: id + 1 };
    }
    if (operation.kind === 'redeemMoneyOrder') {
      this.#redeemed.push({ totalIndex: operation.totalIndex, batchHeight: place.batchHeight });
    }
    this.#accounts.set(account.id, account);
    this.#versions.set(`${account.id}/${place.batchHeight}`, { ...account, batchHeight: place.batchHeight });
    this.#takePlace();
  }

  #addOrder({ batchHeight, batchIndex }: BatchPlace, order: MoneyOrder): number {
    const index = totalIndex(batchHeight, batchIndex);
    this.#orders.push({ totalIndex: index, hash: moneyOrderHash(order), order });
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
