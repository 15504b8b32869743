import type { Clock } from '@tetrad/types';

/** Time that a test moves. */
export class HandClock implements Clock {
  private nowMs = 1_600_000_000_000;
  private readonly tasks = new Map<() => void, number>();

  now(): number {
    return this.nowMs;
  }

  get isWaitedFor(): boolean {
    return this.tasks.size > 0;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const task = () => run();
    this.tasks.set(task, this.nowMs + delayMs);
    return () => void this.tasks.delete(task);
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const [task, atMs] of this.tasks) {
      if (atMs > this.nowMs) continue;
      this.tasks.delete(task);
      task();
    }
  }
}
