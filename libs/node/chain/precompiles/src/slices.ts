import { setImmediate } from 'node:timers/promises';
import type { Pace } from './precompile.js';

/** Length of a slice in milliseconds, before the work yields. */
const SLICE = 10;

/** Work in pieces of a few milliseconds at most: at each `yield` it may be suspended, or aborted. */
export type Work<T> = Generator<undefined, T, undefined>;

/**
 * Runs work at once when it fits into a slice, and otherwise slice by slice, yielding to the event loop in between.
 *
 * The work releases its resources in its `finally`, also when the signal of the pace aborts it.
 *
 * @throws the promise, with the signal's reason
 */
export function runInSlices<T>(work: Work<T>, pace?: Pace): T | Promise<T> {
  const first = runSlice(work);
  return first.done === true ? first.value : goOn(work, pace);
}

async function goOn<T>(work: Work<T>, { signal, giveWay = turn }: Pace = {}): Promise<T> {
  try {
    for (;;) {
      await giveWay();
      signal?.throwIfAborted();
      const slice = runSlice(work);
      if (slice.done === true) return slice.value;
    }
  } finally {
    work.return(undefined as never);
  }
}

async function turn(): Promise<void> {
  await setImmediate();
}

function runSlice<T>(work: Work<T>): IteratorResult<undefined, T> {
  const end = performance.now() + SLICE;
  for (;;) {
    const piece = work.next();
    if (piece.done === true || performance.now() >= end) return piece;
  }
}
