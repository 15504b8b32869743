import { TetradError } from '@tetrad/types';

/** A trace is larger than the limit of one answer. */
export class TraceTooLargeError extends TetradError {
  override readonly name = 'TraceTooLargeError';
  override readonly code = 'TRACE_TOO_LARGE';
}

/** Bytes of an answer after which the execution yields; recorded in some milliseconds. */
export const BYTES_OF_A_TURN = 250_000;

/** Bytes left for the traces of one answer, counted as they are recorded. */
export class TraceBudget {
  private left: number;

  constructor(private readonly bytes: number) {
    this.left = bytes;
  }

  /** @throws TraceTooLargeError */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new TraceTooLargeError(`the trace is longer than ${this.bytes} bytes`);
  }
}

/** A budget without a bound. */
export const NO_BUDGET = new TraceBudget(Number.POSITIVE_INFINITY);
