import { ExecutionAbortedError, type Simulation } from '@tetrad/node-execution';
import { startThread, threadFile, type Logger, type Metrics } from '@tetrad/types';
import { runWork, type Work, type WorkKind, type WorkResult, type WorkRunner } from '../client-work.js';
import type { FromThread, ToThread } from './messages.js';
import { WorkThread, type ThreadPort } from './work-thread.js';

export interface WorkThreadsOptions {
  /** Threads at most; each is started when there is work that no idle one can take, or by `start`. */
  readonly threads: number;
  /** Megabytes that the objects of one thread may take; one that needs more ends, and its work with it. */
  readonly heapMb: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly startThread?: () => ThreadPort;
}

/** Many slices, on a host that is busy with much else. */
const DEAF_AFTER_MS = 30_000;

/**
 * Does the work of clients on other threads, which ask this one for the state.
 *
 * What depends on private state runs in the thread that asks. A thread that ends is replaced when there is work for it.
 */
export class WorkThreads implements WorkRunner {
  private readonly running = new Set<WorkThread>();
  private isClosed = false;
  private readonly gauge;
  private readonly outcomes;
  private readonly reads;

  constructor(private readonly options: WorkThreadsOptions) {
    const { metrics } = options;
    this.gauge = metrics.gauge('node_execution_threads', 'Threads that run calls and estimates of clients');
    this.outcomes = metrics.counter(
      'node_execution_thread_works_total',
      'Calls, estimates, access lists and traces of calls that were given to threads',
      ['outcome'],
    );
    this.reads = metrics.counter(
      'node_execution_thread_reads_total',
      'Accounts, slots, codes and block hashes that threads asked for',
    );
  }

  /** Starts all threads, so that the first calls do not wait for it. */
  start(): void {
    while (this.running.size < this.options.threads) this.startOne();
  }

  /** Fails: as `WorkRunner`; RequestError EXECUTION_FAILED when the thread ends; what reading the state fails with */
  async run<Kind extends WorkKind>(simulation: Simulation, work: Work<Kind>): Promise<WorkResult<Kind>> {
    if (simulation.hooksOf !== undefined) return runWork(simulation, work);
    if (this.isClosed) throw new ExecutionAbortedError('execution aborted');
    return this.pick().run(simulation, work);
  }

  /** What is under way ends with ExecutionAbortedError; resolves when no thread is left. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.running].map((thread) => thread.stop()));
  }

  /** One without work; else a new one as long as there may be more; else the one with the least. */
  private pick(): WorkThread {
    let best: WorkThread | undefined;
    for (const thread of this.running) if (best === undefined || thread.load < best.load) best = thread;
    if (best !== undefined && (best.load === 0 || this.running.size >= this.options.threads)) return best;
    return this.startOne();
  }

  private startOne(): WorkThread {
    const { startThread = () => startWorker(this.options.heapMb) } = this.options;
    const thread = new WorkThread(startThread(), {
      onOutcome: (outcome) => this.outcomes.increment({ outcome }),
      onReads: (reads) => this.reads.increment({}, reads),
      onEnd: (ended, error) => this.remove(ended, error),
      deafAfterMs: DEAF_AFTER_MS,
    });
    this.running.add(thread);
    this.gauge.set(this.running.size);
    return thread;
  }

  private remove(thread: WorkThread, error: Error): void {
    this.running.delete(thread);
    this.gauge.set(this.running.size);
    if (!this.isClosed) this.options.logger.warn('execution thread ended and is replaced', { error });
  }
}

function startWorker(heapMb: number): ThreadPort {
  const file = threadFile(import.meta.url, './execution-worker.js', '../../dist/threads/execution-worker.js');
  return startThread<ToThread, FromThread>(file, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
}
