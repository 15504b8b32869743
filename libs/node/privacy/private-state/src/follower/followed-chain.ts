import type { Hash } from '@tetrad/types';

/** The part of a block that a follower needs. */
export interface FollowedBlock {
  readonly hash: Hash;
  readonly header: { readonly number: number };
}

/** The chain for its followers: committed blocks, which are never reverted. */
export interface FollowedChain<Block extends FollowedBlock> {
  head(): Block;
  findBlock(number: number): Promise<Block | undefined>;
  /** Also of a block of which nothing else is here. */
  findHeader(number: number): Promise<FollowedBlock | undefined>;
  /**
   * Calls the listener after each new head.
   * @returns a function that removes the listener
   */
  onBlock(listener: (block: Block) => void): () => void;
}

export type FollowOutcome =
  | { readonly kind: 'followed' }
  /** The block cannot be followed now; nothing of it is stored. */
  | { readonly kind: 'paused'; readonly reason: string };

/** A part of the node with its own head and rows, which processes blocks after they are committed. */
export interface Following<Block extends FollowedBlock> {
  /** The last followed block, as stored; undefined before the first. */
  findHead(): Promise<(Pick<FollowedBlock, 'hash'> & { readonly number: number }) | undefined>;
  /**
   * Processes the block after its head, and stores the results and its new head in one transaction.
   * @throws as the storage does; the follower retries
   */
  follow(block: Block): Promise<FollowOutcome>;
}
