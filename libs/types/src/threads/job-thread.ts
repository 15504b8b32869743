import type { TransferListItem } from 'node:worker_threads';
import type { Thread } from './thread.js';

interface Current<Answer> {
  readonly done: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** One job at a time on one thread: its next message is the answer. */
export class JobThread<Job, Answer> {
  private current: Current<Answer> | undefined;
  private end: Error | undefined;

  /**
   * @param timeMs - a job that takes longer fails, and its thread is ended; undefined: it may take as long as it likes
   */
  constructor(
    private readonly thread: Thread<Job, Answer>,
    private readonly timeMs?: number,
  ) {
    thread.onMessage((answer) => this.settle(({ done }) => done(answer)));
    thread.onEnd((reason) => this.lose(new Error(`the thread ended: ${reason.message}`, { cause: reason })));
    thread.keepAlive(false);
  }

  /** Whether it takes no more jobs. */
  get hasEnded(): boolean {
    return this.end !== undefined;
  }

  /**
   * Hands the job over, with buffers that move there.
   * @throws Error when the thread ends first or takes too long, or has a job already; what cannot be sent fails as it
   *   does there
   */
  run(job: Job, transfer?: readonly TransferListItem[]): Promise<Answer> {
    if (this.end !== undefined) return Promise.reject(this.end);
    if (this.current !== undefined) return Promise.reject(new Error('the thread has a job already'));
    return new Promise((done, fail) => {
      const timer = this.timeMs === undefined ? undefined : setTimeout(() => this.expire(), this.timeMs);
      this.current = { done, fail, timer };
      this.thread.keepAlive(true);
      try {
        this.thread.post(job, transfer);
      } catch (error) {
        this.settle(({ fail }) => fail(error as Error));
      }
    });
  }

  /** The job under way fails; resolves when the thread has exited. */
  async stop(): Promise<void> {
    this.lose(new Error('the thread was stopped'));
    await this.thread.stop();
  }

  private expire(): void {
    this.lose(new Error(`the thread did not answer in ${this.timeMs} ms`));
    void this.thread.stop();
  }

  private lose(reason: Error): void {
    this.end ??= reason;
    this.settle(({ fail }) => fail(reason));
  }

  private settle(tell: (current: Current<Answer>) => void): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    clearTimeout(current.timer);
    this.thread.keepAlive(false);
    tell(current);
  }
}
