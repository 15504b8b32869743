import type { Clock } from '@tetrad/types';
import { RemoteKeyError } from './remote-key-error.js';

/**
 * Runs the task for at most that long. What comes of it later is discarded: its caller has been given the error, and
 * may have done something else in its place.
 *
 * @throws RemoteKeyError TIMED_OUT; as the task
 */
export function withDeadline<T>(
  { clock, timeoutMs, name }: Readonly<{ clock: Clock; timeoutMs: number; name: string }>,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((done, fail) => {
    const controller = new AbortController();
    const cancel = clock.schedule(timeoutMs, () => {
      fail(new RemoteKeyError('TIMED_OUT', `${name}: no answer in ${timeoutMs} ms`));
      controller.abort();
    });
    void task(controller.signal).then(done, fail).finally(cancel);
  });
}
