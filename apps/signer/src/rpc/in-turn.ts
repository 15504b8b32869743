import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

/**
 * Runs jobs that hold up the process for a moment one after another, with whatever else is to be done in between: those
 * of a batch would otherwise come all at once.
 */
export class InTurn {
  private readonly limit = pLimit(1);

  /** Out, Fails: as the job */
  run<T>(job: () => T): Promise<T> {
    return this.limit(async () => {
      await setImmediate();
      return job();
    });
  }
}
