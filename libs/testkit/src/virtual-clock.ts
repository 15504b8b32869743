import type { Clock } from '@tetrad/types';

interface Task {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that advances only when everything that can happen now has happened. */
export class VirtualClock implements Clock {
  private nowMs = 1_600_000_000_000;
  private order = 0;
  /** A binary heap, the next task first. */
  private readonly tasks: Task[] = [];

  now(): number {
    return this.nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    let cancelled = false;
    const guarded = () => {
      if (!cancelled) run();
    };
    this.add({ atMs: this.nowMs + Math.max(delayMs, 0), order: this.order++, run: guarded });
    return () => {
      cancelled = true;
    };
  }

  /** Runs tasks in order until the condition holds or the time is over. */
  async runUntil(endMs: number, isDone: () => boolean): Promise<void> {
    for (let task = this.tasks[0]; task !== undefined && task.atMs <= endMs; task = this.tasks[0]) {
      this.removeFirst();
      this.nowMs = task.atMs;
      task.run();
      // All promises that the task started settle before the next one runs.
      await new Promise((turn) => setImmediate(turn));
      if (isDone()) return;
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  private add(task: Task): void {
    let index = this.tasks.push(task) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.isBefore(index, parent)) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private removeFirst(): void {
    const last = this.tasks.pop();
    if (last === undefined || this.tasks.length === 0) return;
    this.tasks[0] = last;
    for (let index = 0; ;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.tasks.length && this.isBefore(child, least)) least = child;
      }
      if (least === index) return;
      this.swap(index, least);
      index = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [one, other] = [this.tasks[a], this.tasks[b]];
    if (one === undefined || other === undefined) return false;
    return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
  }

  private swap(a: number, b: number): void {
    const [one, other] = [this.tasks[a], this.tasks[b]];
    if (one === undefined || other === undefined) return;
    this.tasks[a] = other;
    this.tasks[b] = one;
  }
}
