import { describe, expect, it } from '@jest/globals';
import { VirtualClock, until } from '@tetrad/testkit';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { LEASE_MS } from './params.js';
import { RunningBatcher } from './running-batcher.js';

describe('a running batcher', () => {
  it('renews its lease while what waits is being counted, however long that takes', async () => {
    let beats = 0;
    let counts = 0;
    let endCount = (): void => undefined;
    const batcher = {
      isHolder: true,
      demands: undefined,
      failure: undefined,
      beat: async () => void (beats += 1),
      step: async () => false,
      release: async () => undefined,
    };
    const hanging = () =>
      new Promise<never>((_, fail) => {
        counts += 1;
        endCount = () => fail(new Error('the count was given up'));
      });
    const store = { countBatches: async () => new Map(), readBacklog: hanging };
    const clock = new VirtualClock();
    const running = new RunningBatcher(batcher, {
      clock,
      store: store as never,
      pollMs: 1_000,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    running.start();
    await until(() => counts > 0);
    await clock.runUntil(clock.now() + 3 * LEASE_MS, () => false);
    expect(counts).toBe(1);
    expect(beats).toBeGreaterThan(3);
    const stopped = running.stop();
    endCount();
    await stopped;
    expect(running.problem).toBe('metrics: the count was given up');
  });
});
