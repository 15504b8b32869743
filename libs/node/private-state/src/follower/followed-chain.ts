import type { Hash } from '@tetrad/types';

/** What a follower needs of a block. */
export interface FollowedBlock {
  readonly hash: Hash;
  readonly header: { readonly number: number };
}

/** The chain as its followers see it: committed blocks, which are never taken back. */
export interface FollowedChain<Block extends FollowedBlock> {
  head(): Block;
  findBlock(number: number): Promise<Block | undefined>;
  /** Calls the listener after each new head; the result ends that. */
  onBlock(listener: (block: Block) => void): () => void;
}

export type FollowOutcome =
  | { readonly kind: 'followed' }
  /** The block cannot be followed now; nothing of it is stored. */
  | { readonly kind: 'paused'; readonly reason: string };

/** A part of the node with a head, a root and rows of its own, which does what it does with blocks after they are committed. */
export interface Following<Block extends FollowedBlock> {
  /** The block that was followed last, as it is stored; undefined before the first. */
  findHead(): Promise<(Pick<FollowedBlock, 'hash'> & { readonly number: number }) | undefined>;
  /**
   * Follows the block after its head, and stores what comes of it, and its new head, in one transaction.
   *
   * Fails: as the storage does; the follower asks again
   */
  follow(block: Block): Promise<FollowOutcome>;
}
