import type { Address, Hash, SignedTransaction } from '@tetrad/types';
import { AccountQueue } from './account-queue.js';
import type { PoolEntry } from './pool-entry.js';

/** The pool by sender, ascending by nonce: what the next blocks can take, and what waits behind a gap. */
export interface PoolContent {
  readonly pending: ReadonlyMap<Address, readonly SignedTransaction[]>;
  readonly queued: ReadonlyMap<Address, readonly SignedTransaction[]>;
}

/** What is in the pool, with its sums; the rules of who may come in are elsewhere. */
export class PoolBook {
  private readonly queues = new Map<Address, AccountQueue>();
  private readonly byHash = new Map<Hash, PoolEntry>();
  private totalBytes = 0;
  private totalQueued = 0;

  get size(): number {
    return this.byHash.size;
  }

  /** Bytes of the transactions. */
  get bytes(): number {
    return this.totalBytes;
  }

  /** Transactions behind a gap. */
  get queued(): number {
    return this.totalQueued;
  }

  find(hash: Hash): PoolEntry | undefined {
    return this.byHash.get(hash);
  }

  /** Hashes of durable entries in the order in which they came, at most so many. */
  oldest(limit: number): Hash[] {
    const hashes: Hash[] = [];
    for (const [hash, { durable }] of this.byHash) {
      if (hashes.length === limit) break;
      if (durable) hashes.push(hash);
    }
    return hashes;
  }

  /** The sender's transactions; undefined when there are none. */
  queueOf(
    sender: Address,
  ): Pick<AccountQueue, 'size' | 'cost' | 'firstGap' | 'nextNonce' | 'at'> | undefined {
    return this.queues.get(sender);
  }

  senders(): Iterable<Address> {
    return this.queues.keys();
  }

  /**
   * Puts the entry in the place of its nonce. Out: the entry that had the place, which left.
   *
   * In: nonce — the sender's next one at the head, not above the entry's
   */
  put(entry: PoolEntry, nonce: bigint): PoolEntry | undefined {
    const { hash, sender, raw } = entry.transaction;
    const queue = this.queues.get(sender) ?? new AccountQueue(nonce);
    this.queues.set(sender, queue);
    const replaced = queue.at(entry.transaction.nonce);
    if (replaced !== undefined) this.forget(replaced);
    this.count(queue, () => queue.put(entry));
    this.byHash.set(hash, entry);
    this.totalBytes += raw.length;
    return replaced;
  }

  /** Takes the entry out; false when it was not in any more. */
  remove(entry: PoolEntry): boolean {
    const { hash, sender } = entry.transaction;
    const queue = this.queues.get(sender);
    if (queue === undefined || this.byHash.get(hash) !== entry) return false;
    this.count(queue, () => queue.remove(entry));
    this.forget(entry);
    if (queue.size === 0) this.queues.delete(sender);
    return true;
  }

  /** The sender's next nonce is this now. Out: the entries below it, which left. */
  advance(sender: Address, nonce: bigint): readonly PoolEntry[] {
    const queue = this.queues.get(sender);
    if (queue === undefined) return [];
    const left = this.count(queue, () => queue.advance(nonce));
    for (const entry of left) this.forget(entry);
    if (queue.size === 0) this.queues.delete(sender);
    return left;
  }

  /** Durable entries behind a gap that came before the time, in milliseconds since the epoch. */
  queuedBefore(timeMs: number): PoolEntry[] {
    return [...this.queues.values()]
      .filter((queue) => queue.queued > 0)
      .flatMap((queue) => queue.entries().filter(({ transaction }) => transaction.nonce > queue.firstGap))
      .filter(({ durable, enteredMs }) => durable && enteredMs < timeMs);
  }

  content(): PoolContent {
    const pending = new Map<Address, SignedTransaction[]>();
    const queued = new Map<Address, SignedTransaction[]>();
    for (const [sender, queue] of this.queues) {
      const transactions = queue.entries().map(({ transaction }) => transaction);
      const ready = queue.size - queue.queued;
      if (ready > 0) pending.set(sender, transactions.slice(0, ready));
      if (queue.queued > 0) queued.set(sender, transactions.slice(ready));
    }
    return { pending, queued };
  }

  private forget({ transaction }: PoolEntry): void {
    this.byHash.delete(transaction.hash);
    this.totalBytes -= transaction.raw.length;
  }

  /** Does something to a queue and keeps the sum of what waits behind gaps. */
  private count<T>(queue: AccountQueue, change: () => T): T {
    const before = queue.queued;
    const result = change();
    this.totalQueued += queue.queued - before;
    return result;
  }
}
