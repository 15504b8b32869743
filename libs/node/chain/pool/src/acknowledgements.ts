import { RequestError, type Address, type Block, type Hash } from '@tetrad/types';
import { entriesOf, putBack, trim, type Evicted } from './make-room.js';
import type { PoolBook } from './pool-book.js';
import type { Journal } from './pool-chain.js';
import type { PoolDrops } from './pool-drops.js';
import { lastDurable, type PoolEntry } from './pool-entry.js';
import type { PoolLimits } from './pool-limits.js';

/** Journals entries before their senders get an answer, and takes back what could not be journalled. */
export class Acknowledgements {
  /** Hashes whose journal row is being written → promise of the end. */
  private readonly writing = new Map<Hash, Promise<void>>();
  /** Entries evicted for ones that are being journalled, which return if that fails. */
  private readonly displaced = new Set<Evicted>();

  constructor(
    private readonly options: {
      readonly journal: Journal;
      readonly book: PoolBook;
      readonly drops: PoolDrops;
      readonly limits: PoolLimits;
      /** Called for each sender of which an entry was taken back or returned. */
      readonly onReturn: (sender: Address) => void;
    },
  ) {}

  /** @throws RequestError ALREADY_KNOWN for a transaction in the pool, once it is durable */
  async assertUnknown(hash: Hash): Promise<void> {
    // A client relies on "already known", so the first of the two must be durable.
    await this.writing.get(hash);
    const known = this.options.book.find(hash);
    if (known === undefined) return;
    if (known.remote) {
      const { raw } = known.transaction;
      await this.options.journal.append({ hash, raw, acceptedMs: known.enteredMs });
      if (known.evicted) await this.refuseEvicted(known);
      known.remote = false;
    }
    throw new RequestError('ALREADY_KNOWN', 'already known');
  }

  /**
   * Journals the entry; the rows of evicted entries are removed in the same commit.
   * @throws as the database does
   */
  async keep(entry: PoolEntry, evicted: readonly Evicted[]): Promise<void> {
    const { hash, raw } = entry.transaction;
    const gone = [...(entry.replaced === undefined ? [] : [entry.replaced]), ...entriesOf(evicted)];
    const journalled = this.options.journal.append(
      { hash, raw, acceptedMs: entry.enteredMs },
      gone.map(({ transaction }) => transaction.hash),
    );
    this.writing.set(hash, journalled);
    for (const one of evicted) this.displaced.add(one);
    try {
      await journalled;
    } catch (error) {
      this.withdraw(entry, evicted);
      throw error;
    } finally {
      this.writing.delete(hash);
      for (const one of evicted) this.displaced.delete(one);
    }
    entry.durable = true;
    this.options.drops.report(entriesOf(evicted), 'full');
  }

  /**
   * Refuses an entry that was evicted before it was acknowledged, and with it the one that it had replaced.
   * @throws RequestError POOL_FULL
   */
  async refuseEvicted(entry: PoolEntry): Promise<never> {
    const kept = lastDurable(entry.replaced);
    if (kept !== undefined) this.options.drops.report([kept], 'full');
    await this.options.journal.remove([entry.transaction.hash]);
    throw new RequestError('POOL_FULL', 'txpool is full');
  }

  /**
   * Refuses a replacement: the replaced transaction was mined before it was durable.
   * @throws RequestError NONCE_TOO_LOW
   */
  async giveUp({ transaction }: PoolEntry): Promise<never> {
    await this.options.journal.remove([transaction.hash]);
    const { nonce } = transaction;
    throw new RequestError('NONCE_TOO_LOW', `nonce too low: next nonce ${nonce + 1n}, tx nonce ${nonce}`);
  }

  /** An evicted entry does not return once its nonce is used up. */
  noteOvertaken({ transactions }: Block): void {
    if (this.displaced.size === 0) return;
    const nonces = new Map(transactions.map(({ sender, nonce }) => [sender, nonce]));
    for (const { entry } of this.displaced) {
      const { sender, nonce } = entry.transaction;
      if ((nonces.get(sender) ?? -1n) >= nonce) entry.overtaken = true;
    }
  }

  /**
   * The newcomer could not be journalled: the last durable one of those it had replaced takes its place again, and the
   * entries evicted for it return.
   */
  private withdraw(entry: PoolEntry, evicted: readonly Evicted[]): void {
    const { book, drops, limits, onReturn } = this.options;
    const { sender } = entry.transaction;
    const next = book.queueOf(sender)?.nextNonce ?? 0n;
    const kept = lastDurable(entry.replaced);
    const wasIn = book.remove(entry);
    if (kept !== undefined && wasIn) book.put(kept, next);
    // Its place was given to another.
    if (kept !== undefined && entry.evicted) drops.drop([kept], 'full');
    const returned = evicted.filter((one) => one.entry.durable && !one.entry.overtaken);
    const lost = returned.filter((one) => !putBack(one, book));
    drops.drop(entriesOf([...lost, ...trim({ book, limits })]), 'full');
    const senders = new Set([sender, ...entriesOf(returned).map((one) => one.transaction.sender)]);
    for (const one of senders) onReturn(one);
  }
}
