import type { Clock } from './runtime.js';

/** Pauses between attempts: doubled with each failure in a row, up to a bound. */
export interface BackOff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Far beyond every bound, and small enough that the product stays a number. */
const MAX_DOUBLINGS = 32;

/** The pause after so many failures in a row, from 1. */
export function backOffMs(failures: number, { firstMs, maxMs }: BackOff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS));
}

/**
 * Between half and all of a pause, so that processes that failed at one moment do not all come back at one moment.
 * @param random - in [0, 1)
 */
export function spreadMs(pauseMs: number, random: number): number {
  return Math.round(pauseMs * (0.5 + random / 2));
}

/** Resolves after the time, or at once when the signal is aborted before that. */
export function pause(clock: Pick<Clock, 'schedule'>, pauseMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted === true) return done();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      done();
    };
    const cancel = clock.schedule(pauseMs, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Tries one thing again later, after pauses that grow until it succeeds. At most one try waits. */
export class RetryTimer {
  private failuresInRow = 0;
  private cancelTry: (() => void) | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'schedule'>,
    private readonly backOff: BackOff,
  ) {}

  /** How often `tryLater` was called since the last success. */
  get failures(): number {
    return this.failuresInRow;
  }

  get isWaiting(): boolean {
    return this.cancelTry !== undefined;
  }

  /** Runs the task after the next pause, instead of the one that waits. */
  tryLater(task: () => void): void {
    this.cancel();
    this.failuresInRow += 1;
    this.cancelTry = this.clock.schedule(backOffMs(this.failuresInRow, this.backOff), () => {
      this.cancelTry = undefined;
      task();
    });
  }

  /** The next pause is the first one again. */
  succeeded(): void {
    this.failuresInRow = 0;
  }

  /** Forgets the try that waits; the pauses go on growing. */
  cancel(): void {
    this.cancelTry?.();
    this.cancelTry = undefined;
  }
}
