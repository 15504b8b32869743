import type { Clock, Logger } from '@tetrad/types';

export interface RepeatingOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  /** Name of the task, for the log. */
  readonly name: string;
}

/** Runs a task again and again, never twice at a time; what fails is logged and tried again. */
export class Repeating {
  private running: Promise<void> | undefined;
  private cancel: (() => void) | undefined;
  private stopped = true;

  constructor(
    private readonly options: RepeatingOptions,
    private readonly task: () => Promise<unknown>,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule();
  }

  /** Resolves when the task has ended that runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.cancel = this.options.clock.schedule(this.options.everyMs, () => {
      this.running = this.run().finally(() => this.schedule());
    });
  }

  private async run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      this.options.logger.warn('task failed, will retry', { task: this.options.name, error });
    }
  }
}
