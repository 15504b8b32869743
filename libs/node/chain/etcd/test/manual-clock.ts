import { until } from '@tetrad/testkit';
import type { Clock } from '@tetrad/types';

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  private time = 1_000_000;
  private readonly tasks = new Set<{ readonly at: number; readonly task: () => void }>();

  now(): number {
    return this.time;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { at: this.time + delayMs, task };
    this.tasks.add(entry);
    return () => this.tasks.delete(entry);
  }

  /** Runs what is due by then, in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let next = this.nextBy(end); next !== undefined; next = this.nextBy(end)) {
      this.time = Math.max(this.time, next.at);
      this.tasks.delete(next);
      next.task();
    }
    this.time = end;
  }

  /** Lets time pass until it holds, as much as it takes. */
  async advanceUntil(holds: () => boolean, stepMs = 50): Promise<void> {
    await until(() => {
      if (holds()) return true;
      this.advance(stepMs);
      return false;
    }, 5);
  }

  private nextBy(end: number) {
    const due = [...this.tasks].filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}
