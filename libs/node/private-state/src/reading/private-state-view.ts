import type { WorldState, StateDatabase } from '@tetrad/node-execution';
import { EMPTY_ROOT } from '@tetrad/node-block';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { ChainFollower } from '../follower/chain-follower.js';
import type { PrivateStateStore } from '@tetrad/node-store';
import { RequestError, type Address, type Block, type Hash } from '@tetrad/types';
import { laneAccount, type Lane } from '../restricted/lane.js';

export interface PrivateStateViewParts {
  readonly follower: Pick<ChainFollower<Block>, 'head' | 'pause' | 'waitFor'>;
  readonly store: Pick<PrivateStateStore, 'findRoot'>;
  readonly states: Pick<StateDatabase, 'openWorld'>;
  /** How long a reader waits for a block. Units: ms */
  readonly waitMs: number;
}

/** What a reader wants of an account: its code with its storage, or nonce and balance. */
export type Wanted = 'code' | 'balance';

/**
 * Private state for those who read: it follows the chain, so they wait for it a bounded time, and are told by name when it
 * does not come (docs/adr/0127).
 */
export class PrivateStateView {
  /** The block that was asked for last, with its root. */
  private last: { readonly blockNumber: number; readonly root: Promise<Hash> } | undefined;

  constructor(private readonly parts: PrivateStateViewParts) {}

  /** Whether private state has followed the block already. */
  isAt(blockNumber: number): boolean {
    return this.parts.follower.head >= blockNumber;
  }

  /** Whether private state follows the block within the time that readers wait. */
  async reaches(blockNumber: number): Promise<boolean> {
    const { follower, waitMs } = this.parts;
    return this.isAt(blockNumber) || (await follower.waitFor(blockNumber, waitMs)) === 'followed';
  }

  /** Waits until private state has followed the block. Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE */
  async demand(blockNumber: number): Promise<void> {
    if (!(await this.reaches(blockNumber))) throw this.rejection(blockNumber);
  }

  /** What somebody is told who needs private state of the block. */
  rejection(blockNumber: number): RequestError {
    const { head, pause } = this.parts.follower;
    const text =
      pause === undefined
        ? `private state is at block ${head} and has not executed block ${blockNumber} yet`
        : `private state is paused before block ${pause.blockNumber}: ${pause.reason}`;
    return new RequestError('PRIVATE_STATE_NOT_AVAILABLE', text, { blockNumber: head });
  }

  /** Root of private state after a block that was followed. */
  async rootAt(blockNumber: number): Promise<Hash> {
    const { store } = this.parts;
    if (this.last?.blockNumber !== blockNumber) {
      const root = store.findRoot(blockNumber).then((found) => found ?? EMPTY_ROOT);
      root.catch(() => (this.last = undefined));
      this.last = { blockNumber, root };
    }
    return this.last.root;
  }

  /** Private state after a block that was followed. */
  async worldAt(blockNumber: number): Promise<WorldState> {
    return this.parts.states.openWorld(await this.rootAt(blockNumber));
  }

  /**
   * The private world if that has the account at the block; undefined when the public one answers.
   *
   * An account with public code is never private, so that nobody waits for it. While private state is behind, nonce and
   * balance of an account that it does not have so far are public; its code may be private by then.
   *
   * In:    publicWorld — after the block
   * Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  async findWorld(
    address: Address,
    at: { readonly blockNumber: number; readonly publicWorld: WorldState; readonly wanted: Wanted },
  ): Promise<WorldState | undefined> {
    const { blockNumber, publicWorld, wanted } = at;
    const { codeHash = EMPTY_KECCAK } = (await publicWorld.findAccount(address)) ?? {};
    if (codeHash !== EMPTY_KECCAK) return undefined;
    const isReached = await this.reaches(blockNumber);
    if (!isReached && wanted === 'code') throw this.rejection(blockNumber);
    const world = await this.worldAt(isReached ? blockNumber : this.parts.follower.head);
    if ((await world.findAccount(address)) === undefined) return undefined;
    if (!isReached) throw this.rejection(blockNumber);
    return world;
  }
}

/**
 * The next nonce of the lane: how many of its transactions private state has executed up to the block.
 *
 * Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE
 */
export async function laneNonce(
  view: Pick<PrivateStateView, 'demand' | 'worldAt'>,
  lane: Lane,
  blockNumber: number,
): Promise<bigint> {
  await view.demand(blockNumber);
  const world = await view.worldAt(blockNumber);
  return (await world.findAccount(laneAccount(lane)))?.nonce ?? 0n;
}
