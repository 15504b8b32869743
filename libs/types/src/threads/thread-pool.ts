import type { TransferListItem } from 'node:worker_threads';
import { JobThread } from './job-thread.js';
import type { Reply } from './serve-jobs.js';
import type { Thread } from './thread.js';

export interface ThreadPoolOptions<Job, Answer> {
  readonly workers: number;
  /** Jobs that may wait for a thread; the next one fails. */
  readonly maxWaiting: number;
  /** A job that takes longer fails, and its thread is replaced. Units: ms */
  readonly timeMs: number;
  readonly startThread: () => Thread<Job, Reply<Answer>>;
}

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly transfer: readonly TransferListItem[] | undefined;
  readonly done: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Jobs on threads that run `serveJobs`, one at a time on each, in the order they came.
 *
 * All threads start at once. When one ends, its job fails; the next job that finds no idle thread starts another.
 */
export class ThreadPool<Job, Answer> {
  private readonly idle: JobThread<Job, Reply<Answer>>[] = [];
  private readonly busy = new Set<JobThread<Job, Reply<Answer>>>();
  private readonly queue: Waiting<Job, Answer>[] = [];
  private isClosed = false;

  constructor(private readonly options: ThreadPoolOptions<Job, Answer>) {
    for (let index = 0; index < options.workers; index++) this.idle.push(this.start());
  }

  /** Jobs that wait for a thread. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * What the thread made of the job; buffers of `transfer` move there when it is its turn.
   * @throws as the work did there, without the class of the error; Error when the queue is full, the pool is closed, or
   *   the thread ended or took too long
   */
  run(job: Job, transfer?: readonly TransferListItem[]): Promise<Answer> {
    if (this.isClosed) return Promise.reject(closed());
    return new Promise((done, fail) => {
      const waiting = { job, transfer, done, fail };
      const thread = this.queue.length === 0 ? this.take() : undefined;
      if (thread !== undefined) void this.work(thread, waiting);
      else if (this.queue.length < this.options.maxWaiting) this.queue.push(waiting);
      else fail(new Error(`${this.options.maxWaiting} jobs wait for a thread already`));
    });
  }

  /** What waits or runs fails, and whatever comes; resolves when no thread is left. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { fail } of this.queue.splice(0)) fail(closed());
    await Promise.all([...this.idle.splice(0), ...this.busy].map((thread) => thread.stop()));
  }

  private start(): JobThread<Job, Reply<Answer>> {
    return new JobThread(this.options.startThread(), this.options.timeMs);
  }

  /** An idle thread that lives, or a new one in the place of one that ended. */
  private take(): JobThread<Job, Reply<Answer>> | undefined {
    for (let thread = this.idle.pop(); thread !== undefined; thread = this.idle.pop())
      if (!thread.hasEnded) return thread;
    return this.busy.size < this.options.workers ? this.start() : undefined;
  }

  private async work(
    thread: JobThread<Job, Reply<Answer>>,
    { job, transfer, done, fail }: Waiting<Job, Answer>,
  ): Promise<void> {
    this.busy.add(thread);
    try {
      const reply = await thread.run(job, transfer);
      if ('error' in reply) fail(reply.error);
      else done(reply.answer);
    } catch (error) {
      fail(error);
    }
    this.busy.delete(thread);
    this.next(thread);
  }

  private next(thread: JobThread<Job, Reply<Answer>>): void {
    if (this.isClosed) return;
    if (!thread.hasEnded) this.idle.push(thread);
    const waiting = this.queue[0];
    const free = waiting === undefined ? undefined : this.takeForQueue();
    if (waiting === undefined || free === undefined) return;
    this.queue.shift();
    void this.work(free, waiting);
  }

  /** As `take`. When a thread cannot be started, what waits is left to those that live; without any it fails. */
  private takeForQueue(): JobThread<Job, Reply<Answer>> | undefined {
    try {
      return this.take();
    } catch (error) {
      if (this.busy.size === 0) for (const { fail } of this.queue.splice(0)) fail(error);
      return undefined;
    }
  }
}

function closed(): Error {
  return new Error('the threads are ended');
}
