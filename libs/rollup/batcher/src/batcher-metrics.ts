import type { RollupStore } from '@tetrad/rollup-store';
import type { Gauge, Metrics } from '@tetrad/types';
import type { Demands } from './demand-watch.js';

const STATES = ['open', 'sealed', 'proving', 'proven', 'submitted'] as const;

export interface BatcherStatus {
  readonly isHolder: boolean;
  /** The failure of a task; undefined without one. */
  readonly problem: string | undefined;
  /** Of a contract that freezes. */
  readonly demands?: Demands | undefined;
}

/** The batcher, and what waits for it, as its holder counts it; another process keeps what it counted last. */
export class BatcherMetrics {
  private readonly counts: Gauge;
  private readonly ages: Gauge;
  private readonly operations: Gauge;
  private readonly accounts: Gauge;
  private readonly operationAge: Gauge;
  private readonly finalHeight: Gauge;

  constructor(
    private readonly store: Pick<RollupStore, 'countBatches' | 'readBacklog' | 'finalHeight'>,
    metrics: Metrics,
    status: () => BatcherStatus,
  ) {
    this.counts = metrics.gauge('rollup_batches', 'Batches that are not final, by state', ['state']);
    this.ages = metrics.gauge(
      'rollup_batch_oldest_seconds',
      'Time since the oldest batch in a state was opened; 0 without one',
      ['state'],
    );
    const active = metrics.gauge('rollup_batcher_active', 'Whether this process is the one that batches');
    const failing = metrics.gauge(
      'rollup_batcher_failing',
      '1 while a task of the batcher or the submission of a batch fails, otherwise 0',
    );
    // Not with the rows below: when the database fails, they cannot be read, and that is a failure.
    metrics.onScrape(() => {
      const { isHolder, problem } = status();
      active.set(isHolder ? 1 : 0);
      failing.set(isHolder && problem !== undefined ? 1 : 0);
    });
    showDemands(metrics, () => status().demands);
    this.operations = metrics.gauge(
      'rollup_operations_pending',
      'Operations that are accepted and not executed',
    );
    this.accounts = metrics.gauge('rollup_pending_accounts', 'Accounts that have operations pending');
    this.operationAge = metrics.gauge(
      'rollup_operation_oldest_seconds',
      'Time since the oldest operation that can be executed was accepted; 0 without one',
    );
    this.finalHeight = metrics.gauge('rollup_final_batch_number', 'Height of the newest batch that is final');
  }

  /** @throws as the database */
  async report(): Promise<void> {
    const { store } = this;
    for (const [state, count] of await store.countBatches()) this.counts.set(count, { state });
    const backlog = await store.readBacklog();
    this.operations.set(backlog.pendingOperations);
    this.accounts.set(backlog.pendingAccounts);
    this.operationAge.set(backlog.oldestOperationSeconds);
    for (const state of STATES) this.ages.set(backlog.oldestBatchSeconds.get(state) ?? 0, { state });
    this.finalHeight.set(await store.finalHeight());
  }
}

/** What holders demand and by when, as last seen. */
function showDemands(metrics: Metrics, demands: () => Demands | undefined): void {
  const frozen = metrics.gauge('rollup_frozen', '1 once the contract is frozen, otherwise 0');
  const open = metrics.gauge('rollup_requests_open', 'Requests on the contract that no final batch answers');
  const failing = metrics.gauge('rollup_requests_failing', 'Open requests that the operator cannot execute');
  const timeout = metrics.gauge(
    'rollup_stall_timeout_seconds',
    'Time that the contract gives to the operator at least; 0 for a contract that does not freeze',
  );
  const deadline = metrics.gauge(
    'rollup_deadline_seconds',
    'Time until a deposit or request is overdue, after which anyone may freeze the contract; the time-out when nothing waits',
  );
  const announced = metrics.gauge(
    'rollup_freezes_announced',
    'Requests and deposits that are not served, by which callers have announced to freeze the contract',
  );
  const freeze = metrics.gauge(
    'rollup_freeze_seconds',
    'Time until anyone may freeze the contract as announced; the time-out when nothing is announced',
  );
  metrics.onScrape(() => {
    const seen = demands();
    const { stallTimeoutSeconds = 0 } = seen?.terms ?? {};
    frozen.set(seen?.isFrozen === true ? 1 : 0);
    open.set(seen?.requests.open ?? 0);
    failing.set(seen?.requests.failing ?? 0);
    timeout.set(stallTimeoutSeconds);
    deadline.set(seen?.overdueAt === undefined ? stallTimeoutSeconds : seen.overdueAt - seen.atSeconds);
    announced.set(seen?.announced.length ?? 0);
    const [first] = seen?.announced ?? [];
    freeze.set(
      seen === undefined || first === undefined ? stallTimeoutSeconds : first.freezableAt - seen.atSeconds,
    );
  });
}
