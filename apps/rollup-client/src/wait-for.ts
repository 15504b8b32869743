import { OperatorError } from '@tetrad/types';
import type { Looks } from './account-looks.js';
import { pause } from './open-account.js';

/** Between two looks at an operator that sends no notices. */
export const POLL_MS = 1_000;
const everySecond: Looks = {
  next: (maxMs, signal) => pause(Math.min(POLL_MS, maxMs), signal),
};

/**
 * Waits for something that comes about by itself.
 * @throws OperatorError when it does not, or the user ends it
 */
export async function waitFor<Result>(
  look: () => Promise<Result | undefined>,
  wait: {
    readonly what: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    /** By default every second. */
    readonly looks?: Looks;
  },
): Promise<Result> {
  const deadline = Date.now() + wait.timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (wait.signal.aborted) throw new OperatorError(`${wait.what}: not waited for any longer`);
    if (Date.now() >= deadline)
      throw new OperatorError(`${wait.what}: not within ${wait.timeoutMs / 1000} s`);
    await (wait.looks ?? everySecond).next(Math.max(0, deadline - Date.now()), wait.signal);
  }
}
