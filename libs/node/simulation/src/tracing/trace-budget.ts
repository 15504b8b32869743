import { TetradError } from '@tetrad/types';

/** A trace that is longer than what one answer may be. */
export class TraceTooLargeError extends TetradError {
  override readonly name = 'TraceTooLargeError';
  override readonly code = 'TRACE_TOO_LARGE';
}

/** Bytes that the traces of one answer may still take, counted as they are written. */
export class TraceBudget {
  private left: number;

  constructor(private readonly bytes: number) {
    this.left = bytes;
  }

  /** Fails: TraceTooLargeError. */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new TraceTooLargeError(`the trace is longer than ${this.bytes} bytes`);
  }
}

/** For who sets no bound. */
export const NO_BUDGET = new TraceBudget(Number.POSITIVE_INFINITY);
