import { maxGasPrice } from '@tetrad/node-execution';
import type { Address, SignedTransaction } from '@tetrad/types';

/** A transaction in the pool. */
export interface PoolEntry {
  readonly transaction: SignedTransaction;
  /** Order of acceptance, for fairness among equal prices. */
  readonly sequence: number;
  /** Whether its journal row is durable; before that it is not mined. */
  durable: boolean;
  /** Settled when the row is durable, or could not be written. */
  readonly journalled: Promise<void>;
  /** What it took the place of, for as long as it may not become durable. */
  replaced: PoolEntry | undefined;
}

/** The pool's transactions of one sender, by nonce. */
export class AccountQueue {
  private readonly byNonce = new Map<bigint, PoolEntry>();

  constructor(readonly sender: Address) {}

  get size(): number {
    return this.byNonce.size;
  }

  at(nonce: bigint): PoolEntry | undefined {
    return this.byNonce.get(nonce);
  }

  put(entry: PoolEntry): void {
    this.byNonce.set(entry.transaction.nonce, entry);
  }

  /** Takes the entry out, unless another has its nonce by now. */
  remove(entry: PoolEntry): void {
    const { nonce } = entry.transaction;
    if (this.byNonce.get(nonce) === entry) this.byNonce.delete(nonce);
  }

  /** The first nonce from `nonce` on that no transaction has. */
  firstGap(nonce: bigint): bigint {
    let gap = nonce;
    while (this.byNonce.has(gap)) gap++;
    return gap;
  }

  /** Ascending by nonce. */
  entries(): PoolEntry[] {
    return [...this.byNonce.values()].sort((a, b) => (a.transaction.nonce < b.transaction.nonce ? -1 : 1));
  }
}

/** Whether `a` is to be mined before `b`: dearer first, then older first. */
export function comesBefore(a: PoolEntry, b: PoolEntry): boolean {
  const [priceA, priceB] = [maxGasPrice(a.transaction), maxGasPrice(b.transaction)];
  return priceA === priceB ? a.sequence < b.sequence : priceA > priceB;
}
