import { effectiveGasPrice, maximumCost } from '@tetrad/node-execution';
import type { SignedTransaction } from '@tetrad/types';

/** A transaction in the pool. */
export interface PoolEntry {
  readonly transaction: SignedTransaction;
  /** Order of acceptance, for fairness among equal prices. */
  readonly sequence: number;
  /** When it was accepted, in milliseconds since the epoch. */
  readonly enteredMs: number;
  /** Wei that it pays for a unit of gas; our chains have no base fee (docs/adr/0006-header-forks.md). */
  readonly price: bigint;
  /** Maximum wei that it can cost its sender. */
  readonly cost: bigint;
  /** Whether the journal of this node or of another keeps it until it is mined; before that it is not mined. */
  durable: boolean;
  /** Whether it was received from a peer, which keeps it; it has no journal row here. */
  remote: boolean;
  /** The entry that it replaced, until it is durable. */
  replaced: PoolEntry | undefined;
  /** Whether executing it failed because of this node; it waits for a restart, and its sender's later ones too. */
  setAside: boolean;
  /** Whether another transaction with its nonce was mined. */
  overtaken: boolean;
  /** Whether it was evicted for others. */
  evicted: boolean;
}

export function createPoolEntry(
  transaction: SignedTransaction,
  { sequence, enteredMs }: Pick<PoolEntry, 'sequence' | 'enteredMs'>,
): PoolEntry {
  const [price, cost] = [effectiveGasPrice(transaction), maximumCost(transaction)];
  return {
    transaction,
    sequence,
    enteredMs,
    price,
    cost,
    durable: false,
    remote: false,
    replaced: undefined,
    setAside: false,
    overtaken: false,
    evicted: false,
  };
}

/** Whether `a` is to be mined before `b`: by price, then by age. */
export function comesBefore(a: PoolEntry, b: PoolEntry): boolean {
  return a.price === b.price ? a.sequence < b.sequence : a.price > b.price;
}

/** The newest durable entry of an entry and those that it replaced. */
export function lastDurable(entry: PoolEntry | undefined): PoolEntry | undefined {
  let kept = entry;
  while (kept?.durable === false) kept = kept.replaced;
  return kept;
}
