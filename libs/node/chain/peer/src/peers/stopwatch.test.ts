import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { silentMetrics } from '@tetrad/types';
import { Stopwatch } from './stopwatch.js';

afterEach(() => void jest.restoreAllMocks());

function watched() {
  let nowMs = 0;
  let seconds = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const counter = {
    ...silentMetrics.counter('', ''),
    increment: (_labels?: object, by = 1) => void (seconds += by),
  };
  const stopwatch = new Stopwatch({ ...silentMetrics, counter: () => counter });
  return { stopwatch, work: (ms: number) => (nowMs += ms), seconds: () => seconds };
}

describe('the time that peers cost', () => {
  it('adds up, and counts work within work once', () => {
    const { stopwatch, work, seconds } = watched();
    expect(stopwatch.time(() => work(200))).toBe(200);
    work(5_000);
    stopwatch.time(() => {
      work(300);
      stopwatch.time(() => work(500));
    });
    expect(seconds()).toBeCloseTo(1);
  });

  it('counts work that fails, and continues', () => {
    const { stopwatch, work, seconds } = watched();
    const failing = () => {
      work(1_000);
      throw new RangeError('of the work');
    };
    expect(() => stopwatch.time(failing)).toThrow('of the work');
    stopwatch.time(() => work(1_000));
    expect(seconds()).toBeCloseTo(2);
  });

  it('does not count time spent waiting', async () => {
    const { stopwatch, work, seconds } = watched();
    await stopwatch.time(async () => {
      work(1_000);
      await Promise.resolve();
      work(7_000);
    });
    expect(seconds()).toBeCloseTo(1);
  });
});
