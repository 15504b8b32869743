import { moneyOrderHash, totalIndex, type MoneyOrder, type Point } from '@tetrad/rollup-crypto';
import type { Account, KnownAccount, ProvedAccount, RollupOperation } from '@tetrad/rollup-state';
import type {
  AccountVersion,
  BatchPlace,
  ExecutedOperation,
  ExecutionWrite,
  OpaquePlace,
} from '@tetrad/rollup-store';
import type { PlannedCredit } from './direct-credits.js';
import { opaquePlaceOf } from './proved-account.js';

/** What a plan writes about operations, accounts, orders and deposits, each at the place that it is given. */
export class PlannedRows {
  private readonly executed: ExecutedOperation[] = [];
  private readonly rejected: ExecutionWrite['rejected'][number][] = [];
  private readonly waiting: number[] = [];
  private readonly deposits: ExecutionWrite['deposits'][number][] = [];
  private readonly created: ExecutionWrite['created'][number][] = [];
  private readonly versions = new Map<string, AccountVersion>();
  private readonly opaque = new Map<number, Pick<AccountVersion, 'id' | 'batchHeight'>>();
  private readonly orders: ExecutionWrite['orders'][number][] = [];
  private readonly redeemed: ExecutionWrite['redeemed'][number][] = [];
  private readonly credits: ExecutionWrite['credits'][number][] = [];
  /** Places of operations on accounts that cannot be read. */
  readonly opaquePlaces: OpaquePlace[] = [];
  /** Accounts that changed, as they are now. */
  readonly accounts = new Map<number, Account>();

  /** All but the batches. */
  get write(): Omit<ExecutionWrite, 'batches'> {
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
    };
  }

  /** Whether the account is left in a state that cannot be read. */
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

  reject(sequence: number, reason: string): void {
    this.rejected.push({ sequence, reason });
  }

  wait(sequence: number): void {
    this.waiting.push(sequence);
  }

  deposit(index: number, place: BatchPlace): void {
    this.deposits.push({ index, ...place });
  }

  /** What becomes of the row of an operation, and with it of accounts and orders that have rows. */
  record(
    sequence: number,
    operation: RollupOperation,
    { account, index, ...place }: BatchPlace & { account: KnownAccount; index: number | undefined },
  ): void {
    const { batchHeight } = place;
    this.executed.push({ sequence, accountId: account.id, totalIndex: index, ...place });
    if (operation.kind === 'createAccount')
      this.created.push({ publicKey: account.publicKey, id: account.id, createdHeight: batchHeight });
    if (operation.kind === 'redeemMoneyOrder')
      this.redeemed.push({ totalIndex: operation.totalIndex, batchHeight, order: operation.order });
  }

  /** Adds an order, or of one that cannot be read its hash, and returns its total index. */
  addOrder(place: BatchPlace, order: MoneyOrder): number;
  addOrder(place: BatchPlace, order: MoneyOrder | undefined, hash: bigint): number;
  addOrder({ batchHeight, batchIndex }: BatchPlace, order: MoneyOrder | undefined, hash?: bigint): number {
    const index = totalIndex(batchHeight, batchIndex);
    this.orders.push({ totalIndex: index, hash: hash ?? moneyOrderHash(order as MoneyOrder), order });
    return index;
  }

  /** Adds what is credited at once, and changes its receiver. */
  credit({ batchHeight, batchIndex }: BatchPlace, { order, after }: PlannedCredit): void {
    this.credits.push({ totalIndex: totalIndex(batchHeight, batchIndex), batchHeight, order });
    this.change(after, batchHeight);
  }

  change(account: Account, batchHeight: number): void {
    this.accounts.set(account.id, account);
    this.versions.set(`${account.id}/${batchHeight}`, { ...account, batchHeight });
  }

  /** Changes an account that stays opaque by an operation that was requested. */
  changeOpaque(place: BatchPlace, operation: RollupOperation, account: ProvedAccount): void {
    if (operation.kind !== 'outboundTransfer' && operation.kind !== 'redeemMoneyOrder')
      throw new TypeError(`${operation.kind} is not requested`);
    this.opaquePlaces.push(opaquePlaceOf(place, operation, account));
    this.becomeOpaque(account.id, place.batchHeight);
  }

  becomeOpaque(id: number, batchHeight: number): void {
    this.accounts.delete(id);
    this.opaque.set(id, { id, batchHeight });
  }
}
