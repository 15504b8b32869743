import { pause, type Clock, type Logger } from '@tetrad/types';

export interface WorkLoopOptions {
  /** Name of the work, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause when there is nothing to do. */
  readonly pollMs: number;
  /** Pause after a failure. */
  readonly failureMs: number;
}

/** Does work as long as there is some, then looks for more now and then; what fails is logged once and tried again. */
export class WorkLoop {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private lastFailure: string | undefined;

  /** @param step - does a piece of the work; whether there is more */
  constructor(
    private readonly options: WorkLoopOptions,
    private readonly step: () => Promise<boolean>,
  ) {}

  /** What the last piece failed with; undefined when it did not. */
  get failure(): string | undefined {
    return this.lastFailure;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the piece has ended that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const pauseMs = await this.once();
      if (pauseMs > 0) await pause(this.options.clock, pauseMs, signal);
    }
  }

  private async once(): Promise<number> {
    try {
      const hasMore = await this.step();
      this.lastFailure = undefined;
      return hasMore ? 0 : this.options.pollMs;
    } catch (error) {
      const message = (error as Error).message;
      // A failure that repeats for the same reason is logged once.
      if (message !== this.lastFailure)
        this.options.logger.warn('work failed, will retry', { work: this.options.name, error });
      this.lastFailure = message;
      return this.options.failureMs;
    }
  }
}
