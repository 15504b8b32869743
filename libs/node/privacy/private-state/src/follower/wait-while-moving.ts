import type { FollowerPause } from './chain-follower.js';
import type { Waited } from './waiters.js';

/** How a wait for a follower ended. */
export type Arrival =
  | { readonly kind: 'followed' }
  | ({ readonly kind: 'paused' } & FollowerPause)
  /** The follower did not process this block in time. */
  | { readonly kind: 'standstill'; readonly blockNumber: number };

export interface MovingFollower {
  /** Number of the last followed block. */
  readonly head: number;
  readonly pause: FollowerPause | undefined;
  waitFor(blockNumber: number, withinMs: number): Promise<Waited>;
}

/**
 * Waits for a block while the follower makes progress.
 * @param standstillMs - maximum time for one block, in milliseconds
 */
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
