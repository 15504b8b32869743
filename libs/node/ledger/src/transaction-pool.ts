import { findAccount, type AccountState } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import {
  RefusalError,
  type Address,
  type Block,
  type Gauge,
  type Hash,
  type Logger,
  type Metrics,
  type SignedTransaction,
} from '@tetrad/types';
import { HeadWorld } from './head-world.js';
import type { Ledger } from './ledger.js';
import { Listeners } from './listeners.js';
import { PoolBook, type PoolContent } from './pool-book.js';
import { createPoolEntry, type PoolEntry } from './pool-entry.js';
import {
  assertAcceptable,
  assertAffordable,
  assertReplaces,
  assertRoom,
  completePoolLimits,
  type PoolLimits,
} from './pool-rules.js';
import { readJournal } from './read-journal.js';
import { Selection, type SelectionSource } from './selection.js';

export interface TransactionPoolOptions {
  readonly ledger: Ledger;
  readonly store: LedgerStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<PoolLimits>;
}

/** Transactions that were accepted and are not mined yet; every one of them is journalled. */
export class TransactionPool implements SelectionSource {
  private readonly book = new PoolBook();
  /** Hashes whose journal row is being written → when that is settled. */
  private readonly writing = new Map<Hash, Promise<void>>();
  private readonly listeners: Listeners<(transaction: SignedTransaction) => void>;
  private readonly selections = new Set<Selection>();
  private readonly limits: PoolLimits;
  private readonly gauge: Gauge;
  private sequence = 0;
  private readonly headWorld: HeadWorld;
  private sweptMs: number;

  constructor(private readonly options: TransactionPoolOptions) {
    const { ledger, logger, metrics } = options;
    this.gauge = metrics.gauge('node_pool_transactions', 'Transactions in the pool: next or behind a gap', [
      'state',
    ]);
    this.limits = completePoolLimits(options.limits);
    this.sweptMs = ledger.clock.now();
    this.headWorld = new HeadWorld(ledger);
    this.listeners = new Listeners((error) => logger.error('a listener of the pool failed', { error }));
    ledger.onBlock((block) => this.onBlock(block));
  }

  /**
   * Accepts the transaction; when this resolves it is durable and will be mined.
   *
   * Fails: RefusalError with the reason and text that Ethereum clients know; the database's error when it could not
   * be journalled, and then it may be sent again
   */
  async add(transaction: SignedTransaction): Promise<Hash> {
    const { hash, raw } = transaction;
    await this.assertUnknown(hash);
    const account = await this.check(transaction);
    // From here to the journal nothing waits, so that two of one nonce cannot both pass.
    const entry = this.enter(transaction, account);
    const journalled = this.options.store.journal.append({ hash, raw }, entry.replaced?.transaction.hash);
    this.writing.set(hash, journalled);
    try {
      await journalled;
    } catch (error) {
      this.withdraw(entry);
      throw error;
    } finally {
      this.writing.delete(hash);
    }
    entry.durable = true;
    entry.replaced = undefined;
    if (this.book.find(hash) === entry) this.announce(entry);
    else if (entry.overtaken) await this.giveUp(entry);
    return hash;
  }

  /**
   * Takes a transaction that another node has accepted and keeps; this one forgets it when it stops.
   *
   * Fails: RefusalError as `add`
   */
  async addRelayed(transaction: SignedTransaction): Promise<void> {
    const { hash } = transaction;
    if (this.book.find(hash) !== undefined) throw new RefusalError('ALREADY_KNOWN', 'already known');
    const account = await this.check(transaction);
    const { sender, nonce } = transaction;
    if (this.book.queueOf(sender)?.at(nonce) !== undefined) {
      // What it replaces may have a row, which must not come back instead of it.
      await this.add(transaction);
      return;
    }
    const entry = this.enter(transaction, account);
    entry.relayed = true;
    entry.durable = true;
    this.announce(entry);
  }

  find(hash: Hash): SignedTransaction | undefined {
    return this.book.find(hash)?.transaction;
  }

  /** Nonce of the sender's next transaction, those in the pool counted. */
  async pendingNonce(sender: Address): Promise<bigint> {
    const account = await findAccount(await this.headWorld.open(), sender);
    return this.book.queueOf(sender)?.firstGap ?? account?.nonce ?? 0n;
  }

  get size(): number {
    return this.book.size;
  }

  /** How many the next blocks can take, and how many wait behind a gap. */
  status(): { readonly pending: number; readonly queued: number } {
    const { size, queued } = this.book;
    return { pending: size - queued, queued };
  }

  /** Hashes of what waits, oldest first, at most so many. */
  oldest = (limit: number): Hash[] => this.book.oldest(limit);

  content(): PoolContent {
    return this.book.content();
  }

  /** Calls the listener for every accepted transaction; the result ends that. */
  onTransaction(listener: (transaction: SignedTransaction) => void): () => void {
    return this.listeners.add(listener);
  }

  /** An order for the next block, which learns of newcomers until it is released. */
  select(): { readonly selection: Selection; release(): void } {
    const selection = new Selection(this);
    for (const sender of this.book.senders()) selection.offer(sender);
    this.selections.add(selection);
    return { selection, release: () => this.selections.delete(selection) };
  }

  /** Takes out a transaction that no block can take any more. */
  async discard(entry: PoolEntry, reason: string): Promise<void> {
    this.book.remove(entry);
    this.report();
    this.options.logger.warn('transaction dropped from the pool', { hash: entry.transaction.hash, reason });
    await this.options.store.journal.remove([entry.transaction.hash]);
  }

  minableAt(sender: Address, nonce: bigint): PoolEntry | undefined {
    const entry = this.book.queueOf(sender)?.at(nonce);
    return entry?.durable === true && !entry.setAside ? entry : undefined;
  }

  nextNonce(sender: Address): bigint {
    return this.book.queueOf(sender)?.nextNonce ?? 0n;
  }

  /** Puts the journal's transactions back, in their order. */
  async restore(): Promise<void> {
    const { store, ledger, logger } = this.options;
    const { waiting, obsolete } = await readJournal(store.journal, {
      chainId: ledger.genesis.chainId,
      openWorld: () => this.headWorld.open(),
    });
    for (const { transaction, nextNonce } of waiting) {
      const entry = this.newEntry(transaction);
      entry.durable = true;
      const replaced = this.book.put(entry, nextNonce);
      if (replaced !== undefined) obsolete.push(replaced.transaction.hash);
    }
    await store.journal.remove(obsolete);
    this.report();
    if (this.size > 0) logger.info('pool restored from the journal', { transactions: this.size });
  }

  /** Checks the transaction against the pool and puts it in; whether it is kept is the caller's matter. */
  private enter(transaction: SignedTransaction, account: AccountState | undefined): PoolEntry {
    const entry = this.newEntry(transaction);
    entry.replaced = this.admit(entry, account);
    this.book.put(entry, account?.nonce ?? 0n);
    return entry;
  }

  private newEntry(transaction: SignedTransaction): PoolEntry {
    const enteredMs = this.options.ledger.clock.now();
    return createPoolEntry(transaction, { sequence: this.sequence++, enteredMs });
  }

  private async assertUnknown(hash: Hash): Promise<void> {
    // Who is told "already known" may rely on it, so the first of the two must be durable.
    await this.writing.get(hash);
    const known = this.book.find(hash);
    if (known === undefined) return;
    if (known.relayed) {
      const { raw } = known.transaction;
      await this.options.store.journal.append({ hash, raw });
      known.relayed = false;
    }
    throw new RefusalError('ALREADY_KNOWN', 'already known');
  }

  /** Checks the transaction against the head, and again when the head moved meanwhile. */
  private async check(transaction: SignedTransaction): Promise<AccountState | undefined> {
    const { ledger } = this.options;
    for (;;) {
      const head = ledger.head();
      const { number, timestamp, gasLimit } = head.header;
      const rules = ledger.executor.rules({ number: number + 1, timestamp });
      const { maxCodeSize } = ledger.genesis;
      assertAcceptable(transaction, { rules, blockGasLimit: gasLimit, maxCodeSize, limits: this.limits });
      const account = await findAccount(await this.headWorld.open(), transaction.sender);
      if (ledger.head() === head) return account;
    }
  }

  /** Out: the pending transaction that the newcomer replaces. Fails: RefusalError. */
  private admit(entry: PoolEntry, account: AccountState | undefined): PoolEntry | undefined {
    const { hash, sender, nonce } = entry.transaction;
    if (this.book.find(hash) !== undefined) throw new RefusalError('ALREADY_KNOWN', 'already known');
    const queue = this.book.queueOf(sender);
    assertAffordable(entry, account, queue);
    const pending = queue?.at(nonce);
    if (pending === undefined)
      assertRoom(entry, account?.nonce ?? 0n, { book: this.book, limits: this.limits });
    else assertReplaces(entry, pending);
    return pending;
  }

  /** The newcomer could not be journalled: the last durable one of those it had replaced takes its place again. */
  private withdraw(entry: PoolEntry): void {
    const { sender } = entry.transaction;
    const next = this.nextNonce(sender);
    if (!this.book.remove(entry)) return;
    let kept = entry.replaced;
    while (kept?.durable === false) kept = kept.replaced;
    if (kept === undefined) return;
    this.book.put(kept, next);
    for (const selection of this.selections) selection.offer(sender);
  }

  /** A block with the transaction that was to be replaced came before the replacement was durable. */
  private async giveUp({ transaction }: PoolEntry): Promise<never> {
    await this.options.store.journal.remove([transaction.hash]);
    const { nonce } = transaction;
    throw new RefusalError('NONCE_TOO_LOW', `nonce too low: next nonce ${nonce + 1n}, tx nonce ${nonce}`);
  }

  private announce({ transaction }: PoolEntry): void {
    for (const selection of this.selections) selection.note(transaction);
    this.listeners.emit((listener) => listener(transaction));
  }

  private onBlock(block: Block): void {
    const mined = new Set(block.transactions.map(({ hash }) => hash));
    const passed = block.transactions
      .flatMap(({ sender, nonce }) => this.book.advance(sender, nonce + 1n))
      .filter(({ transaction }) => !mined.has(transaction.hash));
    for (const entry of passed) entry.overtaken = true;
    this.forget(passed, 'another transaction with its nonce was mined');
    const { queuedLifetimeMs } = this.limits;
    const now = this.options.ledger.clock.now();
    if (queuedLifetimeMs > 0 && now - this.sweptMs >= queuedLifetimeMs / 4) {
      this.sweptMs = now;
      const expired = this.book
        .queuedBefore(now - queuedLifetimeMs)
        .filter((entry) => this.book.remove(entry));
      this.forget(expired, 'it waited too long behind a gap');
    }
    this.report();
  }

  /** Removes journal rows behind the caller's back: a row that stays is recognised at the next start. */
  private forget(entries: readonly PoolEntry[], reason: string): void {
    if (entries.length === 0) return;
    const { store, logger } = this.options;
    const hashes = entries.map(({ transaction }) => transaction.hash);
    for (const hash of hashes) logger.warn('transaction dropped from the pool', { hash, reason });
    store.journal
      .remove(hashes)
      .catch((error: unknown) => logger.warn('journal rows were not removed', { error }));
  }

  private report(): void {
    const { pending, queued } = this.status();
    this.gauge.set(pending, { state: 'pending' });
    this.gauge.set(queued, { state: 'queued' });
  }
}
