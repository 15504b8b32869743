import { CommitGroup } from '@tetrad/db';
import { RequestError, ThreadPool, startThread, threadFile } from '@tetrad/types';
import { runCheckJob, type Check, type CheckJob, type CheckOutcome } from './check-job.js';

export interface CheckPoolOptions {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** Threads; with 0 the caller's own checks. */
  readonly workers: number;
  /** Checks that may wait; the next one is refused. */
  readonly maxWaiting: number;
}

/** Checks operations on separate threads: about a millisecond each. */
export interface CheckPool {
  /** @throws RequestError (TOO_MANY_CONCURRENT_REQUESTS) */
  check(check: Check): Promise<CheckOutcome>;
  /** Ends the threads; what they are at fails. */
  close(): Promise<void>;
}

/** Checks in one message: a thread is at them for some 20 ms. */
const MAX_IN_JOB = 16;
/** A host that is busy stands still for seconds; a thread that is silent for this long is lost. */
const MAX_MS = 120_000;

export function createCheckPool(options: CheckPoolOptions): CheckPool {
  const threads = options.workers === 0 ? undefined : startThreads(options.workers);
  const run = async (job: CheckJob): Promise<CheckOutcome[]> =>
    threads === undefined ? runCheckJob(job) : threads.run(job);
  const queues = Array.from(
    { length: Math.max(1, options.workers) },
    () => new WorkerQueue(options.domain, run),
  );
  const { maxWaiting } = options;
  return {
    async check(check) {
      const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
      if (waiting >= maxWaiting) {
        throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', `${maxWaiting} operations wait to be checked`);
      }
      return queues.reduce((least, queue) => (queue.waiting < least.waiting ? queue : least)).add(check);
    },
    close: async () => threads?.close(),
  };
}

/** One thread's checks: what comes while it works goes into its next message. */
class WorkerQueue {
  waiting = 0;
  private readonly group: CommitGroup<Check, CheckOutcome>;

  constructor(domain: bigint, run: (job: CheckJob) => Promise<CheckOutcome[]>) {
    this.group = new CommitGroup((checks) => run({ domain, checks }), { group: MAX_IN_JOB });
  }

  async add(check: Check): Promise<CheckOutcome> {
    this.waiting += 1;
    try {
      return await this.group.add(check);
    } finally {
      this.waiting -= 1;
    }
  }
}

function startThreads(workers: number): ThreadPool<CheckJob, CheckOutcome[]> {
  return new ThreadPool({
    // A queue has one message under way, and a thread of its own.
    workers,
    maxWaiting: workers,
    timeMs: MAX_MS,
    startThread: () =>
      startThread(threadFile(import.meta.url, './check-worker.js', '../dist/check-worker.js')),
  });
}
