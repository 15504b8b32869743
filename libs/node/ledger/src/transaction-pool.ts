import { decodeTransaction, findAccount, type AccountState, type WorldState } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import {
  RefusalError,
  type Address,
  type Hash,
  type Logger,
  type Metrics,
  type SignedTransaction,
} from '@tetrad/types';
import type { Ledger } from './ledger.js';
import { Listeners } from './listeners.js';
import { AccountQueue, type PoolEntry } from './pool-entry.js';
import {
  DEFAULT_POOL_LIMITS,
  assertAcceptable,
  assertAffordable,
  assertReplaces,
  type PoolLimits,
} from './pool-rules.js';
import { Selection, type SelectionSource } from './selection.js';

export interface TransactionPoolOptions {
  readonly ledger: Ledger;
  readonly store: LedgerStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits?: PoolLimits;
}

/** The pool by sender: what the next blocks can take, and what waits behind a gap. */
export interface PoolContent {
  readonly pending: ReadonlyMap<Address, readonly SignedTransaction[]>;
  readonly queued: ReadonlyMap<Address, readonly SignedTransaction[]>;
}

/** Opens the pool with what the journal holds; what was mined or became invalid meanwhile leaves it. */
export async function openTransactionPool(options: TransactionPoolOptions): Promise<TransactionPool> {
  const pool = new TransactionPool(options);
  await pool.restore();
  return pool;
}

/** Transactions that were accepted and are not mined yet; every one of them is journalled. */
export class TransactionPool implements SelectionSource {
  private readonly queues = new Map<Address, AccountQueue>();
  private readonly byHash = new Map<Hash, PoolEntry>();
  private readonly nonces = new Map<Address, bigint>();
  private readonly listeners = new Listeners<(transaction: SignedTransaction) => void>();
  private readonly selections = new Set<Selection>();
  private sequence = 0;
  private world: Promise<WorldState>;
  private readonly limits: PoolLimits;

  constructor(private readonly options: TransactionPoolOptions) {
    this.limits = options.limits ?? DEFAULT_POOL_LIMITS;
    this.world = options.ledger.worldAt(options.ledger.head());
    options.ledger.onBlock((block) => this.onBlock(block.transactions));
  }

  /**
   * Accepts the transaction; when this resolves it is durable and will be mined.
   *
   * Fails: RefusalError with the reason and text that Ethereum clients know
   */
  async add(transaction: SignedTransaction): Promise<Hash> {
    const known = this.byHash.get(transaction.hash);
    if (known !== undefined) {
      await known.journalled;
      throw new RefusalError('ALREADY_KNOWN', 'already known');
    }
    const head = this.options.ledger.head().header;
    const next = { number: head.number + 1, timestamp: head.timestamp };
    const rules = this.options.ledger.executor.rules(next);
    const { maxCodeSize } = this.options.ledger.genesis;
    assertAcceptable(transaction, { rules, blockGasLimit: head.gasLimit, maxCodeSize, limits: this.limits });
    const account = await this.accountAtHead(transaction.sender);
    assertAffordable(transaction, account);
    // From here to the journal nothing waits, so that two of one nonce cannot both pass.
    const replaced = this.makeRoom(transaction);
    this.nonces.set(transaction.sender, account?.nonce ?? 0n);
    const entry = this.enter(transaction, replaced);
    try {
      await entry.journalled;
    } catch (error) {
      this.withdraw(entry);
      throw error;
    }
    this.announce(entry);
    if (replaced !== undefined) await this.forget(replaced);
    return transaction.hash;
  }

  find(hash: Hash): SignedTransaction | undefined {
    return this.byHash.get(hash)?.transaction;
  }

  /** Nonce of the sender's next transaction, those in the pool counted. */
  async pendingNonce(sender: Address): Promise<bigint> {
    const account = await findAccount(await this.world, sender);
    const nonce = account?.nonce ?? 0n;
    return this.queues.get(sender)?.firstGap(nonce) ?? nonce;
  }

  get size(): number {
    return this.byHash.size;
  }

  async content(): Promise<PoolContent> {
    const pending = new Map<Address, SignedTransaction[]>();
    const queued = new Map<Address, SignedTransaction[]>();
    const world = await this.world;
    for (const [sender, queue] of this.queues) {
      const account = await findAccount(world, sender);
      const gap = queue.firstGap(account?.nonce ?? 0n);
      for (const { transaction } of queue.entries()) {
        const side = transaction.nonce < gap ? pending : queued;
        side.set(sender, [...(side.get(sender) ?? []), transaction]);
      }
    }
    return { pending, queued };
  }

  /** Calls the listener for every accepted transaction; the result ends that. */
  onTransaction(listener: (transaction: SignedTransaction) => void): () => void {
    return this.listeners.add(listener);
  }

  /** An order for the next block, which learns of newcomers until it is released. */
  select(): { readonly selection: Selection; release(): void } {
    const selection = new Selection(this);
    for (const sender of this.queues.keys()) selection.offer(sender);
    this.selections.add(selection);
    return { selection, release: () => this.selections.delete(selection) };
  }

  /** Takes out a transaction that no block can take any more. */
  async discard(entry: PoolEntry, reason: string): Promise<void> {
    this.drop(entry);
    this.options.logger.warn('transaction dropped from the pool', { hash: entry.transaction.hash, reason });
    await this.options.store.journal.remove([entry.transaction.hash]);
  }

  durableAt(sender: Address, nonce: bigint): PoolEntry | undefined {
    const entry = this.queues.get(sender)?.at(nonce);
    return entry?.durable === true ? entry : undefined;
  }

  nextNonce(sender: Address): bigint {
    return this.nonces.get(sender) ?? 0n;
  }

  /** Puts the journal's transactions back, in their order. */
  async restore(): Promise<void> {
    const { store, ledger, logger } = this.options;
    const obsolete: Hash[] = [];
    const world = await this.world;
    for (const { hash, raw } of await store.journal.load()) {
      const transaction = decodeTransaction(raw, ledger.genesis.chainId);
      const account = await findAccount(world, transaction.sender);
      const nonce = account?.nonce ?? 0n;
      if (transaction.nonce < nonce) {
        obsolete.push(hash);
        continue;
      }
      this.nonces.set(transaction.sender, nonce);
      const same = this.queueOf(transaction.sender).at(transaction.nonce);
      if (same !== undefined) {
        // A crash came between writing the replacement and removing what it replaced.
        obsolete.push(same.transaction.hash);
        this.drop(same);
      }
      const journalled = Promise.resolve();
      this.put({ transaction, sequence: this.sequence++, durable: true, journalled, replaced: undefined });
    }
    await store.journal.remove(obsolete);
    if (this.size > 0) logger.info('pool restored from the journal', { transactions: this.size });
  }

  /** The sender's account at the head, even when the head moved while it was read. */
  private async accountAtHead(sender: Address): Promise<AccountState | undefined> {
    for (;;) {
      const { world } = this;
      const account = await findAccount(await world, sender);
      if (world === this.world) return account;
    }
  }

  /** Takes out an entry that could not be journalled; what it was to replace has its place again. */
  private withdraw(entry: PoolEntry): void {
    const { sender, nonce, hash } = entry.transaction;
    if (this.queues.get(sender)?.at(nonce) !== entry) return;
    let kept = entry.replaced;
    while (kept?.durable === false) kept = kept.replaced;
    if (kept === undefined) return this.drop(entry);
    this.byHash.delete(hash);
    this.put(kept);
  }

  /** Removes the row of a transaction that was replaced; one that stays is obsolete at the next start. */
  private async forget({ transaction: { hash } }: PoolEntry): Promise<void> {
    await this.options.store.journal.remove([hash]).catch((error: unknown) => {
      this.options.logger.warn('a replaced transaction stays in the journal', { hash, error });
    });
  }

  private makeRoom(transaction: SignedTransaction): PoolEntry | undefined {
    if (this.byHash.has(transaction.hash)) throw new RefusalError('ALREADY_KNOWN', 'already known');
    const queue = this.queues.get(transaction.sender);
    const pending = queue?.at(transaction.nonce);
    if (pending !== undefined) {
      assertReplaces(transaction, pending.transaction);
      this.byHash.delete(pending.transaction.hash);
      return pending;
    }
    if (queue !== undefined && queue.size >= this.limits.perAccount) {
      throw new RefusalError('ACCOUNT_LIMIT_EXCEEDED', 'account limit exceeded');
    }
    if (this.byHash.size >= this.limits.total) throw new RefusalError('POOL_FULL', 'txpool is full');
    return undefined;
  }

  private enter(transaction: SignedTransaction, replaced: PoolEntry | undefined): PoolEntry {
    const { hash, raw } = transaction;
    const journalled = this.options.store.journal.append({ hash, raw });
    const entry: PoolEntry = { transaction, sequence: this.sequence++, durable: false, journalled, replaced };
    this.put(entry);
    return entry;
  }

  private announce(entry: PoolEntry): void {
    entry.durable = true;
    entry.replaced = undefined;
    const { sender } = entry.transaction;
    for (const selection of this.selections) selection.offer(sender);
    this.listeners.emit((listener) => listener(entry.transaction));
    this.report();
  }

  private onBlock(mined: readonly SignedTransaction[]): void {
    const { ledger } = this.options;
    this.world = ledger.worldAt(ledger.head());
    for (const { sender, nonce } of mined) {
      const queue = this.queues.get(sender);
      if (queue === undefined) continue;
      this.nonces.set(sender, nonce + 1n);
      const entry = queue.at(nonce);
      if (entry !== undefined) this.drop(entry);
    }
    this.report();
  }

  private put(entry: PoolEntry): void {
    this.queueOf(entry.transaction.sender).put(entry);
    this.byHash.set(entry.transaction.hash, entry);
  }

  private drop(entry: PoolEntry): void {
    const { hash, sender } = entry.transaction;
    const queue = this.queues.get(sender);
    queue?.remove(entry);
    this.byHash.delete(hash);
    if (queue?.size === 0) {
      this.queues.delete(sender);
      this.nonces.delete(sender);
    }
  }

  private queueOf(sender: Address): AccountQueue {
    let queue = this.queues.get(sender);
    if (queue === undefined) {
      queue = new AccountQueue(sender);
      this.queues.set(sender, queue);
    }
    return queue;
  }

  private report(): void {
    this.options.metrics.gauge('node_pool_transactions', 'Transactions in the pool').set(this.byHash.size);
  }
}
