import type { Clock, Logger } from '@tetrad/types';

/** A reason why blocks are not followed or minted, or will not be. Several may hold. */
export interface RaftReason {
  /** Stays the same while the text changes, for instance with a height. */
  readonly name: string;
  readonly text: string;
}

const LOOK_MS = 1_000;

/** Logs each reason once when it comes, and once when it has gone. */
export class ReasonLog {
  private readonly open = new Map<string, string>();
  private cancel: (() => void) | undefined;

  constructor(
    private readonly options: {
      readonly reasons: () => readonly RaftReason[];
      readonly clock: Clock;
      readonly logger: Logger;
    },
  ) {}

  start(): void {
    this.cancel = this.options.clock.schedule(LOOK_MS, () => {
      this.look();
      this.start();
    });
  }

  stop(): void {
    this.cancel?.();
  }

  private look(): void {
    const { logger, reasons } = this.options;
    const present = new Map(reasons().map(({ name, text }) => [name, text]));
    for (const [name, reason] of present)
      if (!this.open.has(name)) logger.error('the raft chain is in trouble', { name, reason });
    for (const [name, reason] of this.open)
      if (!present.has(name)) logger.info('a trouble of the raft chain is over', { name, reason });
    this.open.clear();
    for (const [name, reason] of present) this.open.set(name, reason);
  }
}
