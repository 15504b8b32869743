import type { Logger, Metrics } from '@tetrad/types';
import { BatcherMetrics } from './batcher-metrics.js';
import type { Batcher, BatcherParts, BatcherTask } from './batcher.js';
import { LEASE_MS, REPORT_MS, WATCH_MS } from './params.js';
import { WorkLoop } from './work-loop.js';

export interface RunningOptions extends Pick<BatcherParts, 'clock' | 'store'> {
  /** How often rows and chain are looked at when nothing is going on. */
  readonly pollMs: number;
  /** How often it is looked what holders demand. */
  readonly watchMs?: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What is run of a batcher. */
type RunBatcher = Pick<Batcher, 'isHolder' | 'demands' | 'failure' | 'beat' | 'step' | 'release'>;

const TASKS = ['follow', 'seal', 'submit', 'prune', 'watch'] as const satisfies readonly BatcherTask[];

/** Beats per lease. */
const BEATS = 5;
const FAILURE_PAUSES = 8;

/** The tasks of a batcher, each in a separate loop: a chain that does not answer does not stop sealing. */
export class RunningBatcher {
  private readonly loops: ReadonlyMap<string, WorkLoop>;
  /** Those that begin with the batcher; that of the metrics begins with the lease, as there is nothing to report before. */
  private readonly begun: ReadonlyMap<string, WorkLoop>;

  constructor(
    private readonly batcher: RunBatcher,
    private readonly options: RunningOptions,
  ) {
    const status = () => ({ isHolder: batcher.isHolder, problem: this.problem, demands: batcher.demands });
    const metrics = new BatcherMetrics(options.store, options.metrics, status);
    const reporting = this.loop('metrics', () => this.report(metrics), REPORT_MS);
    const beat = async () => {
      await batcher.beat();
      if (batcher.isHolder) reporting.start();
      return false;
    };
    this.begun = new Map([
      ['lease', this.loop('lease', beat, LEASE_MS / BEATS)],
      ...TASKS.map((task) => {
        const pollMs = task === 'watch' ? (options.watchMs ?? WATCH_MS) : undefined;
        return [task, this.loop(task, () => batcher.step(task), pollMs)] as const;
      }),
    ]);
    this.loops = new Map([...this.begun, ['metrics', reporting]]);
  }

  start(): void {
    for (const loop of this.begun.values()) loop.start();
  }

  /** The failure of a task with its name, or of the submission; undefined without one. */
  get problem(): string | undefined {
    for (const [name, { failure }] of this.loops) if (failure !== undefined) return `${name}: ${failure}`;
    return this.batcher.failure;
  }

  /** Ends what is under way, and lets others work. */
  async stop(): Promise<void> {
    await Promise.all([...this.loops.values()].map((loop) => loop.stop()));
    await this.batcher.release();
  }

  /** Not with the beat: what waits is counted, which takes its time, and the lease is renewed meanwhile. */
  private async report(metrics: BatcherMetrics): Promise<boolean> {
    if (this.batcher.isHolder) await metrics.report();
    return false;
  }

  private loop(name: string, step: () => Promise<boolean>, pollMs = this.options.pollMs): WorkLoop {
    const { clock, logger } = this.options;
    return new WorkLoop(
      { name, clock, logger, pollMs, failureMs: Math.min(pollMs * FAILURE_PAUSES, LEASE_MS / BEATS) },
      step,
    );
  }
}
