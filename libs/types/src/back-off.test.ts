import { describe, expect, it } from '@jest/globals';
import { RetryTimer, backOffMs, pause, spreadMs } from './back-off.js';

/** Time that passes when the test says so. */
class ManualClock {
  private nowMs = 0;
  private tasks: { readonly atMs: number; readonly task: () => void }[] = [];

  get scheduled(): number {
    return this.tasks.length;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { atMs: this.nowMs + delayMs, task };
    this.tasks.push(entry);
    return () => void (this.tasks = this.tasks.filter((other) => other !== entry));
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    const due = this.tasks.filter(({ atMs }) => atMs <= this.nowMs);
    this.tasks = this.tasks.filter(({ atMs }) => atMs > this.nowMs);
    for (const { task } of due) task();
    await Promise.resolve();
  }
}

describe('the pause after failures', () => {
  it('doubles from the first to the longest', () => {
    const backOff = { firstMs: 250, maxMs: 8_000 };
    expect([0, 1, 2, 3, 6, 7, 1_000].map((failures) => backOffMs(failures, backOff))).toEqual([
      250, 250, 500, 1_000, 8_000, 8_000, 8_000,
    ]);
    expect(backOffMs(10_000, { firstMs: 0, maxMs: 100 })).toBe(0);
  });

  it('is spread over its second half', () => {
    expect([0, 0.5, 0.999].map((random) => spreadMs(1_000, random))).toEqual([500, 750, 1_000]);
  });
});

describe('pausing', () => {
  it('ends when the time is over, and leaves no listener behind', async () => {
    const clock = new ManualClock();
    let isOver = false;
    const { signal } = new AbortController();
    const paused = pause(clock, 100, signal).then(() => (isOver = true));
    await clock.pass(99);
    expect(isOver).toBe(false);
    await clock.pass(1);
    await paused;
    expect(clock.scheduled).toBe(0);
  });

  it('ends at once when the signal is aborted, before or meanwhile', async () => {
    const clock = new ManualClock();
    const stopping = new AbortController();
    const paused = pause(clock, 100, stopping.signal);
    expect(clock.scheduled).toBe(1);
    stopping.abort();
    await paused;
    await pause(clock, 100, stopping.signal);
    expect(clock.scheduled).toBe(0);
  });
});

describe('a retry timer', () => {
  it('waits longer after each failure, and no longer after a success', async () => {
    const clock = new ManualClock();
    const timer = new RetryTimer(clock, { firstMs: 10, maxMs: 40 });
    const tries: number[] = [];
    for (const pauseMs of [10, 20, 40, 40]) {
      timer.tryLater(() => tries.push(pauseMs));
      await clock.pass(pauseMs - 1);
      expect(timer.isWaiting).toBe(true);
      await clock.pass(1);
      expect(timer.isWaiting).toBe(false);
    }
    expect(tries).toEqual([10, 20, 40, 40]);
    expect(timer.failures).toBe(4);
    timer.succeeded();
    timer.tryLater(() => tries.push(0));
    await clock.pass(10);
    expect(tries.at(-1)).toBe(0);
  });

  it('has one try waiting at most, and none when it is cancelled', async () => {
    const clock = new ManualClock();
    const timer = new RetryTimer(clock, { firstMs: 10, maxMs: 40 });
    const tries: string[] = [];
    timer.tryLater(() => tries.push('first'));
    timer.tryLater(() => tries.push('second'));
    await clock.pass(100);
    expect(tries).toEqual(['second']);
    timer.tryLater(() => tries.push('third'));
    timer.cancel();
    expect(timer.isWaiting).toBe(false);
    await clock.pass(100);
    expect(tries).toEqual(['second']);
  });
});
