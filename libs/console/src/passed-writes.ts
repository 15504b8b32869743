import type { Clock } from '@tetrad/types';
import { RefusedRequest } from './calls.js';

/** How long an id is kept: longer than browsers and proxies send a request again. Units: ms */
const KEEP_MS = 600_000;
/** Ids that are kept, of 32 characters each. */
const MAX_KEPT = 10_000;

/**
 * The ids of writes that were passed on. Browsers and proxies may send a request again whose connection broke, and people click
 * twice: what was confirmed once is sent once.
 */
export class PassedWrites {
  /** By id, when it was passed on; oldest first. */
  private readonly times = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** @throws RefusedRequest for an id that was passed on before */
  pass(id: string): void {
    const now = this.clock.now();
    for (const [old, time] of this.times) {
      if (now - time < KEEP_MS && this.times.size < MAX_KEPT) break;
      this.times.delete(old);
    }
    if (this.times.has(id))
      throw new RefusedRequest(409, 'id: this write was passed on before, and is not sent twice');
    this.times.set(id, now);
  }
}
