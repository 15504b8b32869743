import { setTimeout as wait } from 'node:timers/promises';
import type { StartOptions } from './network-service.js';

const ATTEMPTS = 3;
const PAUSE_MS = 3_000;

interface AgainOptions extends StartOptions {
  /** Whether another attempt may end otherwise. */
  readonly isWorthIt?: (error: Error) => boolean;
}

/**
 * Does what may fail on a busy host, such as a deployment that times out, up to three times.
 *
 * @param what - in words for people
 * @param work what is done; after a failure it is done again from its beginning
 * @param options who hears of failures, and what aborts it
 * @param pause waits before the next attempt
 * @returns what the work returns
 * @throws as the last attempt does; with the reason of the signal
 */
export async function tryAgain<Result>(
  what: string,
  work: () => Promise<Result>,
  { onProgress, signal, isWorthIt = () => true }: AgainOptions,
  pause: () => Promise<unknown> = () => wait(PAUSE_MS, undefined, signal === undefined ? {} : { signal }),
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt === ATTEMPTS || !isWorthIt(error as Error)) throw error;
      const { message } = error as Error;
      onProgress(
        `${what} failed, attempt ${attempt + 1} of ${ATTEMPTS} follows: ${message.split('\n', 1)[0]}`,
      );
      await pause();
      signal?.throwIfAborted();
    }
  }
}
