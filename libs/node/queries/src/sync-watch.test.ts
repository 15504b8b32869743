import { describe, expect, it } from '@jest/globals';
import { SyncWatch, type SyncProgress } from './sync-watch.js';

/** A node whose progress and time the test sets. */
function node() {
  const scheduled = new Set<() => void>();
  const state: { progress: SyncProgress | undefined } = { progress: undefined };
  const watch = new SyncWatch({
    peers: { syncProgress: () => state.progress },
    clock: {
      now: () => 0,
      schedule: (_ms, run) => {
        scheduled.add(run);
        return () => scheduled.delete(run);
      },
    },
  });
  const tick = () => {
    const due = [...scheduled];
    scheduled.clear();
    for (const run of due) run();
  };
  return { state, watch, tick, scheduled };
}

const at = (currentBlock: number): SyncProgress => ({ startingBlock: 1, currentBlock, highestBlock: 9 });

describe('the state of catching up', () => {
  it('is announced once at first, and then when it changes', () => {
    const { state, watch, tick } = node();
    const told: unknown[] = [];
    watch.onChange((status) => told.push(status));
    tick();
    tick();
    state.progress = at(3);
    tick();
    tick();
    state.progress = undefined;
    tick();
    expect(told).toEqual([false, { syncing: true, status: at(3) }, false]);
  });

  it('is told to each listener from where it began, and not looked at without any', () => {
    const { state, watch, tick, scheduled } = node();
    const told: [string, unknown][] = [];
    state.progress = at(3);
    const stopFirst = watch.onChange((status) => told.push(['first', status]));
    tick();
    const stopSecond = watch.onChange((status) => told.push(['second', status]));
    tick();
    expect(told.map(([name]) => name)).toEqual(['first', 'second']);
    stopFirst();
    expect(scheduled.size).toBe(1);
    stopSecond();
    expect(scheduled.size).toBe(0);
  });
});
