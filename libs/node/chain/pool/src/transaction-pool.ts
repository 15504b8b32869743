import { findAccount, type TransactionBarrier, type TransactionIntent } from '@tetrad/node-execution';
import {
  Listeners,
  RequestError,
  type Address,
  type Block,
  type Gauge,
  type Hash,
  type Logger,
  type Metrics,
  type SignedTransaction,
} from '@tetrad/types';
import { PoolBook, type PoolContent } from './pool-book.js';
import type { PoolEntry } from './pool-entry.js';
import { Acknowledgements } from './acknowledgements.js';
import { entriesOf } from './make-room.js';
import { PoolAdmission } from './pool-admission.js';
import type { Journal, PoolChain } from './pool-chain.js';
import { PoolDrops } from './pool-drops.js';
import { completePoolLimits, type PoolLimits } from './pool-limits.js';
import { readJournal } from './read-journal.js';
import { Selection, type SelectionSource } from './selection.js';

export interface TransactionPoolOptions {
  readonly chain: PoolChain;
  readonly journal: Journal;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<PoolLimits>;
  /** Whether it is an account of this node, whose transactions are evicted last. */
  readonly isOwnAccount?: (address: Address) => boolean;
  /** Why the account may not submit through this node; undefined when it may. Without it all accounts may. */
  readonly submissionBarrier?: (sender: Address) => TransactionBarrier | undefined;
}

/** Transactions that were accepted and are not mined yet; every one of them is journalled. */
export class TransactionPool implements SelectionSource {
  private readonly book = new PoolBook();
  private readonly listeners: Listeners<(transaction: SignedTransaction) => void>;
  private readonly selections = new Set<Selection>();
  private readonly limits: PoolLimits;
  private readonly admission: PoolAdmission;
  private readonly drops: PoolDrops;
  private readonly acknowledgements: Acknowledgements;
  private readonly transactions: Gauge;
  private readonly bytes: Gauge;
  private sweptMs: number;

  constructor(private readonly options: TransactionPoolOptions) {
    const { chain, journal, logger, metrics } = options;
    const help = 'in the pool: next or behind a gap';
    this.transactions = metrics.gauge('node_pool_transactions', `Transactions ${help}`, ['state']);
    this.bytes = metrics.gauge('node_pool_bytes', `Bytes of transactions ${help}`, ['state']);
    this.drops = new PoolDrops({ journal, logger, metrics });
    this.limits = completePoolLimits(options.limits);
    this.sweptMs = chain.clock.now();
    this.acknowledgements = new Acknowledgements({
      journal,
      book: this.book,
      drops: this.drops,
      limits: this.limits,
      onReturn: (sender) => this.offer(sender),
    });
    this.admission = new PoolAdmission({
      chain,
      book: this.book,
      limits: this.limits,
      isOwnAccount: options.isOwnAccount ?? (() => false),
      submissionBarrier: options.submissionBarrier,
    });
    this.listeners = new Listeners((error) => logger.error('a listener of the pool failed', { error }));
    chain.onBlock((block) => this.onBlock(block));
    metrics
      .gauge('node_pool_transactions_max', 'Largest number of transactions in the pool')
      .set(this.limits.total);
    metrics.gauge('node_pool_bytes_max', 'Largest number of bytes in the pool').set(this.limits.totalBytes);
    // Not with blocks: what waits counts most when none come.
    metrics.onScrape(() => this.report());
  }

  /**
   * Accepts the transaction; when this resolves it is durable and will be mined.
   * @throws RequestError with the reason and text that Ethereum clients know; the database's error when it could not be
   *   journalled, and then it may be sent again
   */
  async add(transaction: SignedTransaction): Promise<Hash> {
    this.admission.assertMaySubmit(transaction.sender);
    return this.accept(transaction);
  }

  /**
   * Whether the sender may transact now through this node: for transactions that are behind another one on the chain.
   * @throws RequestError as `add` for a sender that may not
   */
  assertPermitted(intent: TransactionIntent): Promise<void> {
    return this.admission.assertPermitted(intent);
  }

  private async accept(transaction: SignedTransaction): Promise<Hash> {
    const { hash } = transaction;
    await this.acknowledgements.assertUnknown(hash);
    const account = await this.admission.check(transaction);
    // The same bytes were submitted twice concurrently; the first may not be durable yet.
    if (this.book.find(hash) !== undefined) return this.accept(transaction);
    this.sweep();
    // From here to the journal there is no await, so two of one nonce cannot both pass.
    const { entry, evicted } = this.admission.admit(transaction, account, { isSubmittedHere: true });
    await this.acknowledgements.keep(entry, evicted);
    if (entry.evicted) return this.acknowledgements.refuseEvicted(entry);
    entry.replaced = undefined;
    if (this.book.find(hash) === entry) this.announce(entry);
    else if (entry.overtaken) await this.acknowledgements.giveUp(entry);
    return hash;
  }

  /**
   * Adds a transaction that another node has accepted and keeps; this node does not keep it over a restart.
   * @throws RequestError as `add`
   */
  async addRemote(transaction: SignedTransaction): Promise<void> {
    const { hash } = transaction;
    if (this.book.find(hash) !== undefined) throw new RequestError('ALREADY_KNOWN', 'already known');
    const account = await this.admission.check(transaction);
    const { sender, nonce } = transaction;
    if (this.book.queueOf(sender)?.at(nonce) !== undefined) {
      // The replaced one may have a row, which must not return instead of it.
      await this.accept(transaction);
      return;
    }
    const { entry, evicted } = this.admission.admit(transaction, account, { isSubmittedHere: false });
    entry.remote = true;
    entry.durable = true;
    this.drops.drop(entriesOf(evicted), 'full');
    this.announce(entry);
  }

  find(hash: Hash): SignedTransaction | undefined {
    return this.book.find(hash)?.transaction;
  }

  /** The sender's transaction with the nonce. */
  transactionAt(sender: Address, nonce: bigint): SignedTransaction | undefined {
    return this.book.queueOf(sender)?.at(nonce)?.transaction;
  }

  /** Nonce of the sender's next transaction, including those in the pool. */
  async pendingNonce(sender: Address): Promise<bigint> {
    const account = await findAccount(await this.admission.headWorld.open(), sender);
    return this.book.queueOf(sender)?.firstGap ?? account?.nonce ?? 0n;
  }

  get size(): number {
    return this.book.size;
  }

  /** Number of pending and of queued transactions. */
  status(): { readonly pending: number; readonly queued: number } {
    const { total, queued } = this.book;
    return { pending: total.count - queued.count, queued: queued.count };
  }

  /** Hashes of waiting transactions, oldest first, at most `limit`. */
  oldest = (limit: number): Hash[] => this.book.oldest(limit);

  content(): PoolContent {
    return this.book.content();
  }

  /** Calls the listener for every accepted transaction; the result removes it. */
  onTransaction(listener: (transaction: SignedTransaction) => void): () => void {
    return this.listeners.add(listener);
  }

  /** A selection for the next block, which includes new transactions until it is released. */
  select(): { readonly selection: Selection; release(): void } {
    const selection = new Selection(this);
    for (const sender of this.book.senders()) selection.offer(sender);
    this.selections.add(selection);
    return { selection, release: () => this.selections.delete(selection) };
  }

  /** Removes a transaction that can no longer be mined. */
  async discard(entry: PoolEntry, reason: string): Promise<void> {
    this.book.remove(entry);
    this.drops.report([entry], 'invalid', reason);
    await this.options.journal.remove([entry.transaction.hash]);
  }

  minableAt(sender: Address, nonce: bigint): PoolEntry | undefined {
    const entry = this.book.queueOf(sender)?.at(nonce);
    return entry?.durable === true && !entry.setAside ? entry : undefined;
  }

  nextNonce(sender: Address): bigint {
    return this.book.queueOf(sender)?.nextNonce ?? 0n;
  }

  /** Puts back the journal's transactions, in order, as far as they fit. */
  async restore(): Promise<void> {
    const { journal, chain, logger } = this.options;
    const { chainId } = chain.genesis;
    const openWorld = () => this.admission.headWorld.open();
    for await (const { waiting, obsolete } of readJournal(journal, { chainId, openWorld })) {
      const dropped = waiting.flatMap((one) => this.admission.readmit(one));
      this.drops.report(dropped, 'full');
      await journal.remove([...obsolete, ...dropped.map(({ transaction }) => transaction.hash)]);
    }
    if (this.size > 0) logger.info('pool restored from the journal', { transactions: this.size });
  }

  private offer(sender: Address): void {
    for (const selection of this.selections) selection.offer(sender);
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
    this.drops.drop(passed, 'overtaken');
    this.acknowledgements.noteOvertaken(block);
    this.sweep();
  }

  /** Drops transactions that waited too long behind a gap. */
  private sweep(): void {
    const { queuedLifetimeMs } = this.limits;
    const now = this.options.chain.clock.now();
    if (queuedLifetimeMs === 0 || now - this.sweptMs < queuedLifetimeMs / 4) return;
    this.sweptMs = now;
    const expired = this.book.queuedBefore(now - queuedLifetimeMs).filter((entry) => this.book.remove(entry));
    this.drops.drop(expired, 'expired');
  }

  private report(): void {
    const { total, queued } = this.book;
    this.transactions.set(total.count - queued.count, { state: 'pending' });
    this.transactions.set(queued.count, { state: 'queued' });
    this.bytes.set(total.bytes - queued.bytes, { state: 'pending' });
    this.bytes.set(queued.bytes, { state: 'queued' });
  }
}
