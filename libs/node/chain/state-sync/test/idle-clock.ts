import { systemClock, type Clock } from '@tetrad/types';

/** How often it is looked whether nothing is done. */
const LOOK_MS = 2;

interface Waiting {
  readonly dueMs: number;
  readonly run: () => void;
}

/**
 * The system's clock, but where nothing is done it is put forward to the end of the next wait: what waits, waits as long by this clock,
 * and the order of what happens stays.
 */
export class IdleClock implements Clock {
  private aheadMs = 0;
  private readonly waiting = new Set<Waiting>();
  private isLooking = false;
  private works = 0;

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { dueMs: this.now() + delayMs, run: task };
    this.waiting.add(entry);
    this.look();
    return () => void this.waiting.delete(entry);
  }

  /** While the work is done, time goes no faster than elsewhere. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.works += 1;
    try {
      return await work();
    } finally {
      this.works -= 1;
    }
  }

  private look(): void {
    if (this.isLooking || this.waiting.size === 0) return;
    this.isLooking = true;
    systemClock.schedule(LOOK_MS, () => {
      this.isLooking = false;
      const next = Math.min(...[...this.waiting].map(({ dueMs }) => dueMs));
      if (this.works === 0) this.aheadMs += Math.max(0, next - this.now());
      for (const entry of [...this.waiting])
        if (entry.dueMs <= this.now() && this.waiting.delete(entry)) entry.run();
      this.look();
    });
  }
}
