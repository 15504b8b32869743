import type { WorldState, StateDatabase } from '@tetrad/node-execution';
import { EMPTY_ROOT } from '@tetrad/node-block';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { ChainFollower } from '../follower/chain-follower.js';
import type { PrivateStateStore } from '@tetrad/node-store';
import { RequestError, type Address, type Block, type Hash } from '@tetrad/types';

export interface PrivateStateViewParts {
  readonly follower: Pick<ChainFollower<Block>, 'head' | 'pause' | 'waitFor'>;
  readonly store: Pick<PrivateStateStore, 'findRoot'>;
  readonly states: Pick<StateDatabase, 'openWorld'>;
  /** Maximum time that a caller waits for a block, in milliseconds. */
  readonly waitMs: number;
}

/** The part of an account that a caller reads: its code and storage, or nonce and balance. */
export type Wanted = 'code' | 'balance';

/**
 * Private state for callers. It follows the chain, so they wait for it a bounded time, and fail with
 * PRIVATE_STATE_NOT_AVAILABLE when it does not arrive (docs/adr/0107).
 */
export class PrivateStateView {
  /** The block that was read last, with its root. */
  private last: { readonly blockNumber: number; readonly root: Promise<Hash> } | undefined;

  constructor(private readonly parts: PrivateStateViewParts) {}

  /** Whether private state has followed the block already. */
  isAt(blockNumber: number): boolean {
    return this.parts.follower.head >= blockNumber;
  }

  /** Whether private state follows the block within `waitMs`. */
  async reaches(blockNumber: number): Promise<boolean> {
    const { follower, waitMs } = this.parts;
    return this.isAt(blockNumber) || (await follower.waitFor(blockNumber, waitMs)) === 'followed';
  }

  /**
   * Waits until private state has followed the block.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  async demand(blockNumber: number): Promise<void> {
    if (!(await this.reaches(blockNumber))) throw this.rejection(blockNumber);
  }

  /** The error for a caller that needs private state of a block which was not followed. */
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
   * The private world if it has the account at the block; undefined when the account is public.
   *
   * An account with public code is never private, so callers need not wait for it. While private state is behind, nonce and
   * balance of an account that it does not have so far are public; the code at the block may be private.
   *
   * @param at.publicWorld - after the block
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
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
