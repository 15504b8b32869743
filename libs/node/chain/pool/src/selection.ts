import type { Address } from '@tetrad/types';
import { comesBefore, type PoolEntry } from './pool-entry.js';

/** The pool as a selection reads it. */
export interface SelectionSource {
  /** The sender's transaction with the nonce, if a block may take it. */
  minableAt(sender: Address, nonce: bigint): PoolEntry | undefined;
  /** Nonce of the sender's next transaction at the head. */
  nextNonce(sender: Address): bigint;
}

/**
 * The order of transactions for one block: the best of each sender's next ones.
 *
 * Senders are offered as their transactions become durable, so that a block that is being built sees them too.
 * Cost: logarithmic in the number of senders per transaction
 */
export class Selection {
  private readonly heap: PoolEntry[] = [];
  private readonly cursors = new Map<Address, bigint>();
  /** Senders whose next transaction is in the heap, or that are finished for this block. */
  private readonly settled = new Set<Address>();
  private outdated = false;

  constructor(private readonly source: SelectionSource) {}

  /** Whether a transaction already in the block was replaced by a better one. */
  get isOutdated(): boolean {
    return this.outdated;
  }

  /** Whether no transaction is available for now. */
  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  /** A transaction of the sender became durable. */
  note({ sender, nonce }: { readonly sender: Address; readonly nonce: bigint }): void {
    const cursor = this.cursors.get(sender);
    if (cursor !== undefined && nonce < cursor) this.outdated = true;
    else this.offer(sender);
  }

  /** Checks the sender again: it may have a next transaction now. */
  offer(sender: Address): void {
    if (this.settled.has(sender)) return;
    const cursor = this.cursors.get(sender) ?? this.source.nextNonce(sender);
    const entry = this.source.minableAt(sender, cursor);
    if (entry === undefined) return;
    this.settled.add(sender);
    this.push(entry);
  }

  /** The transaction to try next; its sender is out until `accept`. */
  next(): PoolEntry | undefined {
    for (;;) {
      const entry = this.pop();
      if (entry === undefined) return undefined;
      const { sender, nonce } = entry.transaction;
      const current = this.source.minableAt(sender, nonce);
      if (current === entry) return entry;
      // It was replaced or removed while it waited here.
      this.settled.delete(sender);
      this.offer(sender);
    }
  }

  /** The transaction is in the block: its sender's next one may follow. */
  accept(entry: PoolEntry): void {
    const { sender, nonce } = entry.transaction;
    this.cursors.set(sender, nonce + 1n);
    this.settled.delete(sender);
    this.offer(sender);
    // It may have been replaced while it ran.
    const current = this.source.minableAt(sender, nonce);
    if (current !== undefined && current !== entry) this.outdated = true;
  }

  private push(entry: PoolEntry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (comesBefore(heap[parent] as PoolEntry, entry)) break;
      heap[at] = heap[parent] as PoolEntry;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): PoolEntry | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && comesBefore(heap[child + 1] as PoolEntry, heap[child] as PoolEntry)) {
        child++;
      }
      if (comesBefore(last, heap[child] as PoolEntry)) break;
      heap[at] = heap[child] as PoolEntry;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
