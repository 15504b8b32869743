import type { PoolEntry } from './pool-entry.js';

/**
 * The pool's transactions of one sender.
 *
 * nonces:  base … firstGap - 1   the next blocks can take
 *          firstGap              is missing
 *          above                 wait behind the gap
 */
export class AccountQueue {
  private readonly byNonce = new Map<bigint, PoolEntry>();
  private gap: bigint;
  private totalCost = 0n;

  /** `base` is the nonce of the sender's next transaction at the head. */
  constructor(private base: bigint) {
    this.gap = base;
  }

  get size(): number {
    return this.byNonce.size;
  }

  get nextNonce(): bigint {
    return this.base;
  }

  /** The first nonce from the next one on that no transaction has. */
  get firstGap(): bigint {
    return this.gap;
  }

  /** How many wait behind the gap. */
  get queued(): number {
    return this.byNonce.size - Number(this.gap - this.base);
  }

  /** Most wei that all of them together can take from the sender. */
  get cost(): bigint {
    return this.totalCost;
  }

  at(nonce: bigint): PoolEntry | undefined {
    return this.byNonce.get(nonce);
  }

  /** Puts the entry in the place of its nonce, which is not below the next one. */
  put(entry: PoolEntry): void {
    const { nonce } = entry.transaction;
    this.totalCost += entry.cost - (this.byNonce.get(nonce)?.cost ?? 0n);
    this.byNonce.set(nonce, entry);
    this.closeGap();
  }

  /** Takes the entry out, unless another has its nonce by now. */
  remove(entry: PoolEntry): void {
    const { nonce } = entry.transaction;
    if (this.byNonce.get(nonce) !== entry) return;
    this.byNonce.delete(nonce);
    this.totalCost -= entry.cost;
    if (nonce < this.gap) this.gap = nonce;
  }

  /** The sender's next nonce is this now. Out: the entries below it, which left. Cost: as the nonces passed */
  advance(base: bigint): PoolEntry[] {
    if (base <= this.base) return [];
    const left = this.below(base);
    this.base = base;
    if (this.gap < base) this.gap = base;
    for (const entry of left) {
      this.byNonce.delete(entry.transaction.nonce);
      this.totalCost -= entry.cost;
    }
    this.closeGap();
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

  private closeGap(): void {
    while (this.byNonce.has(this.gap)) this.gap += 1n;
  }
}
