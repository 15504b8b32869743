import type { RollupStore } from '@tetrad/rollup-store';
import type { Gauge, Metrics } from '@tetrad/types';

const STATES = ['open', 'sealed', 'proving', 'proven', 'submitted'] as const;

/** The batcher, and what waits for it, as its holder counts it; another process keeps what it counted last. */
export class BatcherMetrics {
  private readonly counts: Gauge;
  private readonly ages: Gauge;
  private readonly isHolder: Gauge;
  private readonly isFailing: Gauge;
  private readonly operations: Gauge;
  private readonly operationAge: Gauge;
  private readonly finalHeight: Gauge;

  constructor(
    private readonly store: Pick<RollupStore, 'countBatches' | 'readBacklog' | 'finalHeight'>,
    metrics: Metrics,
  ) {
    this.counts = metrics.gauge('rollup_batches', 'Batches that are not final, by state', ['state']);
    this.ages = metrics.gauge(
      'rollup_batch_oldest_seconds',
      'Time since the oldest batch in a state was opened; 0 without one',
      ['state'],
    );
    this.isHolder = metrics.gauge('rollup_batcher_active', 'Whether this process is the one that batches');
    this.isFailing = metrics.gauge(
      'rollup_batcher_failing',
      '1 while a task of the batcher or the submission of a batch fails, otherwise 0',
    );
    this.operations = metrics.gauge(
      'rollup_operations_pending',
      'Operations that are accepted and not executed',
    );
    this.operationAge = metrics.gauge(
      'rollup_operation_oldest_seconds',
      'Time since the oldest operation that can be executed was accepted; 0 without one',
    );
    this.finalHeight = metrics.gauge('rollup_final_batch_number', 'Height of the newest batch that is final');
  }

  /** Fails: as the database */
  async report(isHolder: boolean, problem: string | undefined): Promise<void> {
    this.isHolder.set(isHolder ? 1 : 0);
    this.isFailing.set(isHolder && problem !== undefined ? 1 : 0);
    if (!isHolder) return;
    const { store } = this;
    for (const [state, count] of await store.countBatches()) this.counts.set(count, { state });
    const { pendingOperations, oldestOperationSeconds, oldestBatchSeconds } = await store.readBacklog();
    this.operations.set(pendingOperations);
    this.operationAge.set(oldestOperationSeconds);
    for (const state of STATES) this.ages.set(oldestBatchSeconds.get(state) ?? 0, { state });
    this.finalHeight.set(await store.finalHeight());
  }
}
