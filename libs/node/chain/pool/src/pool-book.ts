import type { Address, Hash, SignedTransaction } from '@tetrad/types';
import { AccountQueue } from './account-queue.js';
import { IndexedHeap } from './indexed-heap.js';
import type { PoolEntry } from './pool-entry.js';
import type { Tally } from './pool-limits.js';
import { STANDING, type Standing } from './standing.js';

/** The pool by sender, ascending by nonce: pending transactions, and those queued behind a gap. */
export interface PoolContent {
  readonly pending: ReadonlyMap<Address, readonly SignedTransaction[]>;
  readonly queued: ReadonlyMap<Address, readonly SignedTransaction[]>;
}

/** A read-only view of a sender's transactions. */
export type SenderQueue = Readonly<Omit<AccountQueue, 'put' | 'remove' | 'advance'>>;

/** The content of the pool, with its sums; admission rules are elsewhere. */
export class PoolBook {
  private readonly queues = new Map<Address, AccountQueue>();
  private readonly byHash = new Map<Hash, PoolEntry>();
  private readonly all = { count: 0, bytes: 0 };
  private readonly behindGaps = { count: 0, bytes: 0 };
  private readonly ofUnfunded = { count: 0, bytes: 0 };
  private readonly maxQueued = largestFirst('queuedBytes');
  private readonly maxPending = largestFirst('pendingBytes');

  get size(): number {
    return this.byHash.size;
  }

  get total(): Tally {
    return this.all;
  }

  /** Sums of transactions behind gaps. */
  get queued(): Tally {
    return this.behindGaps;
  }

  /** Sums of transactions of senders without balance. */
  get unfunded(): Tally {
    return this.ofUnfunded;
  }

  /** Of the senders of the lowest standing with queued transactions, the one with most bytes of them. */
  get largestQueued(): SenderQueue | undefined {
    return this.maxQueued.first;
  }

  /** The same for pending transactions. */
  get largestPending(): SenderQueue | undefined {
    return this.maxPending.first;
  }

  find(hash: Hash): PoolEntry | undefined {
    return this.byHash.get(hash);
  }

  /** Hashes of durable entries in the order of acceptance, at most `limit`. */
  oldest(limit: number): Hash[] {
    const hashes: Hash[] = [];
    for (const [hash, { durable }] of this.byHash) {
      if (hashes.length === limit) break;
      if (durable) hashes.push(hash);
    }
    return hashes;
  }

  /** The sender's transactions; undefined for a sender without. */
  queueOf(sender: Address): SenderQueue | undefined {
    return this.queues.get(sender);
  }

  senders(): Iterable<Address> {
    return this.queues.keys();
  }

  /**
   * Puts the entry at its nonce.
   * @param nonce - the sender's next one at the head, not above the entry's
   * @param standing - the sender's from now on, by default unchanged
   * @returns the entry that it replaced
   */
  put(entry: PoolEntry, nonce: bigint, standing?: Standing): PoolEntry | undefined {
    const { hash, sender } = entry.transaction;
    const queue = this.queues.get(sender) ?? new AccountQueue(nonce);
    this.queues.set(sender, queue);
    const replaced = queue.at(entry.transaction.nonce);
    if (replaced !== undefined) this.byHash.delete(replaced.transaction.hash);
    this.change(queue, () => {
      queue.put(entry);
      queue.standing = standing ?? queue.standing;
    });
    this.byHash.set(hash, entry);
    return replaced;
  }

  /** Removes the entry; false when it was no longer in the book. */
  remove(entry: PoolEntry): boolean {
    const { hash, sender } = entry.transaction;
    const queue = this.queues.get(sender);
    if (queue === undefined || this.byHash.get(hash) !== entry) return false;
    this.change(queue, () => queue.remove(entry));
    this.byHash.delete(hash);
    if (queue.size === 0) this.queues.delete(sender);
    return true;
  }

  /**
   * Sets the sender's next nonce.
   * @returns the removed entries below it
   */
  advance(sender: Address, nonce: bigint): readonly PoolEntry[] {
    const queue = this.queues.get(sender);
    if (queue === undefined) return [];
    const left = this.change(queue, () => queue.advance(nonce));
    for (const { transaction } of left) this.byHash.delete(transaction.hash);
    if (queue.size === 0) this.queues.delete(sender);
    return left;
  }

  /** Durable entries behind a gap that were accepted before the time, in milliseconds since the epoch. */
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
      if (queue.pending > 0) pending.set(sender, transactions.slice(0, queue.pending));
      if (queue.queued > 0) queued.set(sender, transactions.slice(queue.pending));
    }
    return { pending, queued };
  }

  /** Changes a queue and updates the sums and the order of the senders. */
  private change<T>(queue: AccountQueue, change: () => T): T {
    this.sum(queue, -1);
    const result = change();
    this.sum(queue, 1);
    if (queue.queued > 0) this.maxQueued.update(queue);
    else this.maxQueued.delete(queue);
    if (queue.pending > 0) this.maxPending.update(queue);
    else this.maxPending.delete(queue);
    return result;
  }

  private sum(queue: AccountQueue, sign: 1 | -1): void {
    this.all.count += sign * queue.size;
    this.all.bytes += sign * queue.bytes;
    this.behindGaps.count += sign * queue.queued;
    this.behindGaps.bytes += sign * queue.queuedBytes;
    if (queue.standing !== STANDING.unfunded) return;
    this.ofUnfunded.count += sign * queue.size;
    this.ofUnfunded.bytes += sign * queue.bytes;
  }
}

/** Senders in the order of eviction: those of a lower standing first, then those that hold most. */
function largestFirst(held: 'queuedBytes' | 'pendingBytes'): IndexedHeap<AccountQueue> {
  return new IndexedHeap((a, b) => (a.standing === b.standing ? a[held] > b[held] : a.standing < b.standing));
}
