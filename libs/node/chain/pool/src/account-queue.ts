import { IndexedHeap } from './indexed-heap.js';
import type { PoolEntry } from './pool-entry.js';
import { STANDING, type Standing } from './standing.js';

/**
 * The pool's transactions of one sender.
 *
 * nonces:  base … firstGap - 1   pending: mineable by the next blocks
 *          firstGap              is missing
 *          above                 queued behind the gap
 */
export class AccountQueue {
  standing: Standing = STANDING.unfunded;
  private readonly byNonce = new Map<bigint, PoolEntry>();
  private readonly behindGap = new IndexedHeap<PoolEntry>(
    (a, b) => a.transaction.nonce > b.transaction.nonce,
  );
  private gap: bigint;
  private totalCost = 0n;
  private totalBytes = 0;
  private bytesBehindGap = 0;

  /** `base` is the nonce of the sender's next transaction at the head. */
  constructor(private base: bigint) {
    this.gap = base;
  }

  get size(): number {
    return this.byNonce.size;
  }

  /** Bytes of all of them. */
  get bytes(): number {
    return this.totalBytes;
  }

  get nextNonce(): bigint {
    return this.base;
  }

  /** The first missing nonce, from the next one on. */
  get firstGap(): bigint {
    return this.gap;
  }

  /** Number of transactions behind the gap. */
  get queued(): number {
    return this.byNonce.size - this.pending;
  }

  get queuedBytes(): number {
    return this.bytesBehindGap;
  }

  /** Number of transactions before the gap. */
  get pending(): number {
    return Number(this.gap - this.base);
  }

  get pendingBytes(): number {
    return this.totalBytes - this.bytesBehindGap;
  }

  /** Maximum wei that all of them together can cost the sender. */
  get cost(): bigint {
    return this.totalCost;
  }

  at(nonce: bigint): PoolEntry | undefined {
    return this.byNonce.get(nonce);
  }

  /** The one with the highest nonce behind the gap. */
  get lastQueued(): PoolEntry | undefined {
    return this.behindGap.first;
  }

  /** The one with the highest nonce before the gap; its removal does not affect those behind the gap. */
  get lastPending(): PoolEntry | undefined {
    return this.byNonce.get(this.gap - 1n);
  }

  /** Puts the entry at its nonce, which is not below the next one. */
  put(entry: PoolEntry): void {
    const { nonce } = entry.transaction;
    const replaced = this.byNonce.get(nonce);
    if (replaced !== undefined) this.take(replaced);
    this.byNonce.set(nonce, entry);
    this.totalCost += entry.cost;
    this.totalBytes += entry.transaction.raw.length;
    if (nonce > this.gap) this.enqueue(entry);
    else this.closeGap();
  }

  /** Removes the entry, unless another one has its nonce by now. */
  remove(entry: PoolEntry): void {
    const { nonce } = entry.transaction;
    if (this.byNonce.get(nonce) !== entry) return;
    this.take(entry);
    if (nonce < this.gap) this.openGap(nonce);
  }

  /**
   * Sets the sender's next nonce.
   *
   * Cost: linear in the nonces passed
   *
   * @returns the removed entries below it
   */
  advance(base: bigint): PoolEntry[] {
    if (base <= this.base) return [];
    const left = this.below(base);
    for (const entry of left) this.take(entry);
    this.base = base;
    if (this.gap < base) {
      this.gap = base;
      this.closeGap();
    }
    return left;
  }

  /** Ascending by nonce. */
  entries(): PoolEntry[] {
    return [...this.byNonce.values()].sort((a, b) => (a.transaction.nonce < b.transaction.nonce ? -1 : 1));
  }

  private below(base: bigint): PoolEntry[] {
    if (base - this.base > BigInt(this.size))
      return this.entries().filter(({ transaction }) => transaction.nonce < base);
    const found: PoolEntry[] = [];
    for (let nonce = this.base; nonce < base; nonce++) {
      const entry = this.byNonce.get(nonce);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** Removes the entry; the caller updates the gap. */
  private take(entry: PoolEntry): void {
    this.byNonce.delete(entry.transaction.nonce);
    this.totalCost -= entry.cost;
    this.totalBytes -= entry.transaction.raw.length;
    if (entry.transaction.nonce > this.gap) this.dequeue(entry);
  }

  private closeGap(): void {
    for (;;) {
      const entry = this.byNonce.get(this.gap);
      if (entry === undefined) return;
      this.dequeue(entry);
      this.gap += 1n;
    }
  }

  /** The transaction with this nonce was removed: those above it are queued now. */
  private openGap(nonce: bigint): void {
    for (let above = nonce + 1n; above < this.gap; above++)
      this.enqueue(this.byNonce.get(above) as PoolEntry);
    this.gap = nonce;
  }

  private enqueue(entry: PoolEntry): void {
    this.behindGap.update(entry);
    this.bytesBehindGap += entry.transaction.raw.length;
  }

  private dequeue(entry: PoolEntry): void {
    if (this.behindGap.delete(entry)) this.bytesBehindGap -= entry.transaction.raw.length;
  }
}
