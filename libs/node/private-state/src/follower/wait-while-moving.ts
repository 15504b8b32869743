import type { FollowerPause } from './chain-follower.js';
import type { Waited } from './waiters.js';

/** Where a wait for a follower ended. */
export type Arrival =
  | { readonly kind: 'followed' }
  | ({ readonly kind: 'paused' } & FollowerPause)
  /** It did not get past the block before this one in time. */
  | { readonly kind: 'standstill'; readonly blockNumber: number };

export interface MovingFollower {
  readonly head: number;
  readonly pause: FollowerPause | undefined;
  waitFor(blockNumber: number, withinMs: number): Promise<Waited>;
}

/** Waits for a block however long it takes, as long as the follower gets on. In: standstillMs — for one block, at most */
export async function waitWhileMoving(
  follower: MovingFollower,
  blockNumber: number,
  standstillMs: number,
): Promise<Arrival> {
  for (;;) {
    const { head } = follower;
    if ((await follower.waitFor(blockNumber, standstillMs)) === 'followed') return { kind: 'followed' };
    const { pause } = follower;
    if (pause !== undefined) return { kind: 'paused', ...pause };
    if (follower.head === head) return { kind: 'standstill', blockNumber: head + 1 };
  }
}
