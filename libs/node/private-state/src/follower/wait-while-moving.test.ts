import { describe, expect, it } from '@jest/globals';
import type { FollowerPause } from './chain-follower.js';
import { waitWhileMoving } from './wait-while-moving.js';

/** A follower that gets as far as the steps say, one a wait. */
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
  it('goes on as long as the follower gets on', async () => {
    expect(await waitWhileMoving(follower([3, 6, 9]), 9, 1_000)).toEqual({ kind: 'followed' });
  });

  it('ends where the follower does not get on', async () => {
    expect(await waitWhileMoving(follower([3, 6, 6]), 9, 1_000)).toEqual({
      kind: 'standstill',
      blockNumber: 7,
    });
  });

  it('ends where the follower pauses, and says why', async () => {
    const pause = { blockNumber: 7, reason: 'no manager' };
    expect(await waitWhileMoving(follower([6], pause), 9, 1_000)).toEqual({ kind: 'paused', ...pause });
  });
});
