import { ExecutionAbortedError, type Simulation } from '@tetrad/node-execution';
import { startThread, threadFile, type Logger, type Metrics } from '@tetrad/types';
import { runWork, type Work, type WorkKind, type WorkResult, type WorkRunner } from '../client-work.js';
import type { FromThread, ToThread } from './messages.js';
import { WorkThread, type ThreadPort } from './work-thread.js';

export interface WorkThreadsOptions {
  /** Maximum number of threads; each is started by work that no idle thread can take, or by `start`. */
  readonly threads: number;
  /**
   * Heap limit of one thread in megabytes. A long work fails when two thirds of it are in use; a thread that needs all
   * of it all the same ends, and its work with it.
   */
  readonly heapMb: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly startThread?: () => ThreadPort;
}

/** Node.js's own limit of young objects. One collection may find that all of them are to stay. */
const MAX_YOUNG_MB = 48;

/** Many slices, even on a busy host. */
const ABORT_TIMEOUT_MS = 30_000;

/**
 * Does the work of clients on other threads, which request state from this one.
 *
 * Work on private state runs in the calling thread. A thread that ends is replaced when there is work for it.
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

  /** @throws as `WorkRunner`; RequestError EXECUTION_FAILED when the thread ends; what reading the state fails with */
  async run<Kind extends WorkKind>(simulation: Simulation, work: Work<Kind>): Promise<WorkResult<Kind>> {
    if (simulation.hooksOf !== undefined) return runWork(simulation, work);
    if (this.isClosed) throw new ExecutionAbortedError('execution aborted');
    return this.pick().run(simulation, work);
  }

  /** Ends running work with ExecutionAbortedError; resolves when all threads have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.running].map((thread) => thread.stop()));
  }

  /** An idle thread; else a new one below the maximum; else the one with the least work. */
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
      abortTimeoutMs: ABORT_TIMEOUT_MS,
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
  const maxYoungGenerationSizeMb = Math.min(MAX_YOUNG_MB, heapMb / 8);
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb };
  return startThread<ToThread, FromThread>(file, { resourceLimits });
}
