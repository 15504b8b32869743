import type { Clock } from '@tetrad/types';

/** How a wait for a block ended. */
export type Waited = 'followed' | 'paused' | 'late';

/** Maximum number of concurrent waits; a further one is `late` at once. Requests are bounded elsewhere. */
const MAX_WAITERS = 10_000;

/** Waits of callers for a follower to reach a block. */
export class Waiters {
  private readonly waiting = new Set<{ readonly blockNumber: number; end(how: Waited): void }>();

  constructor(private readonly clock: Clock) {}

  add(blockNumber: number, withinMs: number): Promise<Waited> {
    if (this.waiting.size >= MAX_WAITERS) return Promise.resolve('late');
    return new Promise((done) => {
      const cancel = this.clock.schedule(withinMs, () => waiter.end('late'));
      const waiter = {
        blockNumber,
        end: (how: Waited) => {
          cancel();
          this.waiting.delete(waiter);
          done(how);
        },
      };
      this.waiting.add(waiter);
    });
  }

  reached(blockNumber: number): void {
    for (const waiter of this.waiting) if (waiter.blockNumber <= blockNumber) waiter.end('followed');
  }

  endAll(how: Waited): void {
    for (const waiter of this.waiting) waiter.end(how);
  }
}
