/** Bounds of the pool. */
export interface PoolLimits {
  /** Transactions in all. */
  readonly total: number;
  /** Bytes of all transactions together. */
  readonly totalBytes: number;
  /** Transactions behind a gap, and their bytes. */
  readonly queued: number;
  readonly queuedBytes: number;
  /** Transactions of one sender, those behind a gap included, and their bytes. */
  readonly perAccount: number;
  readonly perAccountBytes: number;
  /** Bytes of one transaction. */
  readonly transactionBytes: number;
  /** Minimum gas price of a transaction, in wei. */
  readonly minimumGasPrice: bigint;
  /** Milliseconds after which a transaction behind a gap is dropped, as geth's `txpool.lifetime`; 0 means never. */
  readonly queuedLifetimeMs: number;
}

const DEFAULT_POOL_LIMITS: PoolLimits = {
  total: 100_000,
  totalBytes: 256 * 1024 * 1024,
  queued: 25_000,
  queuedBytes: 64 * 1024 * 1024,
  perAccount: 20_000,
  perAccountBytes: 16 * 1024 * 1024,
  transactionBytes: 128 * 1024,
  minimumGasPrice: 0n,
  queuedLifetimeMs: 3 * 3_600_000,
};

/**
 * Completes the given limits with defaults, which are derived from them: a quarter of the pool may be queued, and a
 * 16th of its bytes may be one sender's; a transaction of the largest size always fits.
 */
export function completePoolLimits(given: Partial<PoolLimits> = {}): PoolLimits {
  const { total, totalBytes, transactionBytes } = { ...DEFAULT_POOL_LIMITS, ...given };
  const shareOfBytes = (parts: number) => Math.max(Math.ceil(totalBytes / parts), transactionBytes);
  return {
    ...DEFAULT_POOL_LIMITS,
    queued: Math.ceil(total / 4),
    queuedBytes: shareOfBytes(4),
    perAccountBytes: shareOfBytes(16),
    ...given,
  };
}

/** Count and bytes. */
export interface Tally {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Share of the pool for all senders without balance together: three quarters. The rest is reserved for funded senders,
 * as accounts without balance cost an attacker nothing.
 */
export function unfundedShare({ total, totalBytes }: PoolLimits): Tally {
  return { count: Math.ceil((total * 3) / 4), bytes: Math.ceil((totalBytes * 3) / 4) };
}
