import { systemClock, type Clock } from '@tetrad/types';

/** The system's clock, which a test puts forward instead of waiting. */
export class HastyClock implements Clock {
  private aheadMs = 0;
  private readonly waiting = new Set<{ readonly dueMs: number; readonly run: () => void }>();

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { dueMs: this.now() + delayMs, run: () => end(true) };
    const cancel = systemClock.schedule(delayMs, entry.run);
    const end = (isDue: boolean) => {
      cancel();
      if (this.waiting.delete(entry) && isDue) task();
    };
    this.waiting.add(entry);
    return () => end(false);
  }

  /** Runs what is due by then. */
  putForward(ms: number): void {
    this.aheadMs += ms;
    for (const { dueMs, run } of [...this.waiting]) if (dueMs <= this.now()) run();
  }
}
