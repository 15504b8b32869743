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

describe('the sync state', () => {
  it('is announced once at first, and then when it changes', () => {
    const { state, watch, tick } = node();
    const notified: unknown[] = [];
    watch.onChange((status) => notified.push(status));
    tick();
    tick();
    state.progress = at(3);
    tick();
    tick();
    state.progress = undefined;
    tick();
    expect(notified).toEqual([false, { syncing: true, status: at(3) }, false]);
  });

  it('is announced to each listener from its start on, and not checked without listeners', () => {
    const { state, watch, tick, scheduled } = node();
    const notified: [string, unknown][] = [];
    state.progress = at(3);
    const stopFirst = watch.onChange((status) => notified.push(['first', status]));
    tick();
    const stopSecond = watch.onChange((status) => notified.push(['second', status]));
    tick();
    expect(notified.map(([name]) => name)).toEqual(['first', 'second']);
    stopFirst();
    expect(scheduled.size).toBe(1);
    stopSecond();
    expect(scheduled.size).toBe(0);
  });
});
