import type { Clock, Logger } from '@tetrad/types';

export interface WorkLoopOptions {
  /** Of the work, for the log. */
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
  private stopped = false;
  private wake: (() => void) | undefined;
  private lastFailure: string | undefined;

  /** In: step — does a piece of the work; whether there is more */
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
    this.stopped = true;
    this.wake?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const pauseMs = await this.once();
      if (pauseMs > 0 && !this.stopped) await this.pause(pauseMs);
    }
  }

  private async once(): Promise<number> {
    try {
      const hasMore = await this.step();
      this.lastFailure = undefined;
      return hasMore ? 0 : this.options.pollMs;
    } catch (error) {
      const message = (error as Error).message;
      // What goes on failing for the same reason is logged when it begins.
      if (message !== this.lastFailure)
        this.options.logger.warn('work failed, will retry', { work: this.options.name, error });
      this.lastFailure = message;
      return this.options.failureMs;
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.options.clock.schedule(ms, done);
      this.wake = () => {
        cancel();
        done();
      };
    });
  }
}
