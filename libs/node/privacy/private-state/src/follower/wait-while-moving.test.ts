import { describe, expect, it } from '@jest/globals';
import type { FollowerPause } from './chain-follower.js';
import { waitWhileMoving } from './wait-while-moving.js';

/** A follower whose head after each wait is the next of the steps. */
function follower(steps: readonly number[], pause?: FollowerPause) {
  const left = [...steps];
  const state = { head: 0, pause: undefined as FollowerPause | undefined };
  return Object.assign(state, {
    waitFor: async (blockNumber: number) => {
      state.head = left.shift() ?? state.head;
      if (left.length === 0) state.pause = pause;
      return state.head >= blockNumber ? ('followed' as const) : ('late' as const);
    },
  });
}

describe('waiting for a follower', () => {
  it('continues while the follower makes progress', async () => {
    expect(await waitWhileMoving(follower([3, 6, 9]), 9, 1_000)).toEqual({ kind: 'followed' });
  });

  it('ends when the follower makes no progress', async () => {
    expect(await waitWhileMoving(follower([3, 6, 6]), 9, 1_000)).toEqual({
      kind: 'standstill',
      blockNumber: 7,
    });
  });

  it('ends when the follower pauses, with the reason', async () => {
    const pause = { blockNumber: 7, reason: 'no manager' };
    expect(await waitWhileMoving(follower([6], pause), 9, 1_000)).toEqual({ kind: 'paused', ...pause });
  });
});
