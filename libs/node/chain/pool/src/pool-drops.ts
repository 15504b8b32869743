import type { PoolJournal } from '@tetrad/node-store';
import type { Counter, Logger, Metrics } from '@tetrad/types';
import type { PoolEntry } from './pool-entry.js';

/** Why a transaction is dropped without being mined. */
export type DropCause = 'full' | 'expired' | 'overtaken' | 'invalid';

const REASONS: Readonly<Record<DropCause, string>> = {
  full: 'the pool is full',
  expired: 'it waited too long behind a gap',
  overtaken: 'another transaction with its nonce was mined',
  invalid: 'no block can take it',
};

/** Logs transactions that are dropped without being mined, and removes their journal rows. */
export class PoolDrops {
  private readonly dropped: Counter;

  constructor(
    private readonly options: {
      readonly journal: Pick<PoolJournal, 'remove'>;
      readonly logger: Logger;
      readonly metrics: Metrics;
    },
  ) {
    const help = 'Transactions that left the pool without being mined, acknowledged by this node or not';
    const labels = ['cause', 'acknowledged'];
    this.dropped = options.metrics.counter('node_pool_dropped_transactions_total', help, labels);
  }

  /**
   * Logs entries whose rows are removed in another way.
   * @param detail - of the reason
   */
  report(entries: readonly PoolEntry[], cause: DropCause, detail = REASONS[cause]): void {
    for (const { transaction, remote, durable } of entries) {
      const isAcknowledged = durable && !remote;
      this.dropped.increment({ cause, acknowledged: String(isAcknowledged) });
      const { hash, sender, nonce } = transaction;
      const values = { hash, sender, nonce: String(nonce), reason: detail };
      // A transaction received only from a peer is kept by the node that acknowledged it.
      this.options.logger[isAcknowledged ? 'warn' : 'debug']('transaction dropped from the pool', values);
    }
  }

  /** Removes the rows in the background: one that stays is recognised, or fits again, at the next start. */
  drop(entries: readonly PoolEntry[], cause: DropCause): void {
    if (entries.length === 0) return;
    this.report(entries, cause);
    const { journal, logger } = this.options;
    journal
      .remove(entries.map(({ transaction }) => transaction.hash))
      .catch((error: unknown) => logger.warn('journal rows were not removed', { error }));
  }
}
