import type { Block, Clock, Hash, MinedReceipt } from '@tetrad/types';

/** Sources of receipts and of new blocks. */
export interface ReceiptParts {
  readonly ledger: { onBlock(listener: (block: Block) => void): () => void };
  readonly receipts: { find(hash: Hash): Promise<MinedReceipt | undefined> };
  readonly clock: Clock;
}

/** One call that waits for a receipt. */
export interface ReceiptWait {
  /** The receipt; undefined when it does not arrive within `ms` milliseconds. */
  forMs(ms: number): Promise<MinedReceipt | undefined>;
  /** Stops waiting; a pending promise resolves with undefined. */
  close(): void;
}

/** Calls that wait until a transaction is mined, sharing one listener. */
export class ReceiptWaiters {
  private readonly waiting = new Map<Hash, Set<() => void>>();
  private count = 0;

  constructor(private readonly parts: ReceiptParts) {
    parts.ledger.onBlock((block) => {
      if (this.waiting.size === 0) return;
      for (const { hash } of block.transactions) for (const mined of this.waiting.get(hash) ?? []) mined();
    });
  }

  /** Number of waiting calls. */
  get size(): number {
    return this.count;
  }

  /**
   * Starts to wait; a block that arrives before `forMs` is called counts.
   * @param signal - aborts the wait
   */
  open(hash: Hash, signal: AbortSignal): ReceiptWait {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((done) => (settle = done));
    const others = this.waiting.get(hash) ?? new Set();
    this.waiting.set(hash, others.add(settle));
    this.count += 1;
    signal.addEventListener('abort', settle);
    const { receipts, clock } = this.parts;
    return {
      async forMs(ms) {
        const cancel = clock.schedule(ms, settle);
        await settled;
        cancel();
        return receipts.find(hash);
      },
      close: () => {
        signal.removeEventListener('abort', settle);
        settle();
        if (others.delete(settle)) this.count -= 1;
        if (others.size === 0 && this.waiting.get(hash) === others) this.waiting.delete(hash);
      },
    };
  }
}
