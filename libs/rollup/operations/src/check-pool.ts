import { CommitGroup } from '@tetrad/db';
import { RequestError } from '@tetrad/types';
import { Tinypool } from 'tinypool';
import { runCheckJob, type Check, type CheckJob, type CheckOutcome } from './check-job.js';

export interface CheckPoolOptions {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** Threads; with 0 the caller's own checks. */
  readonly workers: number;
  /** Checks that may wait; the next one is refused. */
  readonly maxWaiting: number;
}

/** Checks operations, on threads of their own: about a millisecond each. */
export interface CheckPool {
  /** Fails: RequestError (TOO_MANY_CONCURRENT_REQUESTS) */
  check(check: Check): Promise<CheckOutcome>;
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>;
}

/** Checks in one message: a thread is at them for some 20 ms. */
const MOST_IN_JOB = 16;

export function createCheckPool(options: CheckPoolOptions): CheckPool {
  const threads = options.workers === 0 ? undefined : startThreads(options.workers);
  const run = async (job: CheckJob): Promise<CheckOutcome[]> =>
    threads === undefined ? runCheckJob(job) : ((await threads.run(job)) as CheckOutcome[]);
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
    close: async () => threads?.destroy(),
  };
}

/** One thread's checks: what comes while it works goes into its next message. */
class WorkerQueue {
  waiting = 0;
  private readonly group: CommitGroup<Check, CheckOutcome>;

  constructor(domain: bigint, run: (job: CheckJob) => Promise<CheckOutcome[]>) {
    this.group = new CommitGroup((checks) => run({ domain, checks }), { group: MOST_IN_JOB });
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

function startThreads(workers: number): Tinypool {
  return new Tinypool({
    filename: workerFile(),
    runtime: 'worker_threads',
    minThreads: workers,
    maxThreads: workers,
    isolateWorkers: false,
    useAtomics: false,
  });
}

/** Tests run from the sources, where a thread, which no test runner transforms code for, starts from the build. */
function workerFile(): string {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? '../dist/check-worker.js' : './check-worker.js', here).href;
}
