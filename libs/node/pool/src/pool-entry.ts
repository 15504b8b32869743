import { effectiveGasPrice, maximumCost } from '@tetrad/node-execution';
import type { SignedTransaction } from '@tetrad/types';

/** A transaction in the pool. */
export interface PoolEntry {
  readonly transaction: SignedTransaction;
  /** Order of acceptance, for fairness among equal prices. */
  readonly sequence: number;
  /** When it came, in milliseconds since the epoch. */
  readonly enteredMs: number;
  /** Wei that it pays for a unit of gas; our chains have no base fee (docs/adr/0006-header-forks.md). */
  readonly price: bigint;
  /** Most wei that it can take from its sender. */
  readonly cost: bigint;
  /** Whether it is kept until it is mined, by this node's journal or that of another; before that it is not mined. */
  durable: boolean;
  /** Whether it came from a peer, who keeps it; it has no journal row here. */
  remote: boolean;
  /** What it took the place of, for as long as it may not become durable. */
  replaced: PoolEntry | undefined;
  /** Whether executing it failed for a reason that is ours; it waits for a restart, and its sender's next ones too. */
  setAside: boolean;
  /** Whether another transaction with its nonce was mined. */
  overtaken: boolean;
  /** Whether it had to leave for others. */
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

/** Whether `a` is to be mined before `b`: dearer first, then older first. */
export function comesBefore(a: PoolEntry, b: PoolEntry): boolean {
  return a.price === b.price ? a.sequence < b.sequence : a.price > b.price;
}

/** The durable one of an entry and those that it was to replace. */
export function lastDurable(entry: PoolEntry | undefined): PoolEntry | undefined {
  let kept = entry;
  while (kept?.durable === false) kept = kept.replaced;
  return kept;
}
