import type { TransactionPool } from '@tetrad/node-pool';
import { RequestError, type MinedReceipt, type SignedTransaction } from '@tetrad/types';
import { ReceiptWaiters, type ReceiptParts } from './receipt-waiters.js';

const DEFAULT_WAIT_MS = 20_000;
/** Share of the request timeout: a timeout of the whole call would not report that the transaction was accepted. */
const SHARE_OF_CALL = 0.8;

export interface SynchronousSubmissionOptions extends ReceiptParts {
  readonly pool: Pick<TransactionPool, 'add'>;
  readonly limits: {
    /** Maximum number of calls that wait for a receipt at a time. */
    readonly waitingForReceipts: number;
    /** Milliseconds after which any call times out. */
    readonly requestTimeoutMs: number;
  };
}

/** Submits a transaction and waits until it is mined (EIP-7966). */
export class SynchronousSubmission {
  private readonly waiters: ReceiptWaiters;

  constructor(private readonly options: SynchronousSubmissionOptions) {
    this.waiters = new ReceiptWaiters(options);
  }

  /**
   * @param options.waitMs - 0 or absent is the default
   * @param options.signal - aborts the wait
   * @returns the receipt; undefined when the transaction is in the pool and was not mined in time
   * @throws RequestError TOO_MANY_CONCURRENT_REQUESTS, with the transaction not submitted; as the pool
   */
  async submit(
    transaction: SignedTransaction,
    { waitMs, signal }: { readonly waitMs: number | undefined; readonly signal: AbortSignal },
  ): Promise<MinedReceipt | undefined> {
    const { limits, pool } = this.options;
    if (this.waiters.size >= limits.waitingForReceipts)
      throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many calls waiting for receipts');
    // Waiting begins before the transaction is submitted: a block may come at once.
    const wait = this.waiters.open(transaction.hash, signal);
    try {
      await pool.add(transaction);
      const wanted = waitMs === undefined || waitMs === 0 ? DEFAULT_WAIT_MS : waitMs;
      return await wait.forMs(Math.min(wanted, limits.requestTimeoutMs * SHARE_OF_CALL));
    } finally {
      wait.close();
    }
  }
}
