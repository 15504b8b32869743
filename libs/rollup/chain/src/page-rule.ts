import type { Hash } from '@tetrad/types';

/** Where the follower stands: the last block whose events are stored. */
export interface ChainCursor {
  readonly number: number;
  readonly hash: Hash;
}

export interface PageBounds {
  /** Successors that a block needs before its events count. */
  readonly confirmations: number;
  readonly pageBlocks: number;
}

/** Blocks of the next page, both ends included. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The blocks to read next.
 * @param after - the last block that is stored; one before the first block that matters at the beginning
 * @returns undefined when no further block has enough successors
 */
export function nextRange(after: number, head: number, bounds: PageBounds): BlockRange | undefined {
  const confirmed = head - bounds.confirmations;
  if (confirmed <= after) return undefined;
  return { from: after + 1, to: Math.min(confirmed, after + bounds.pageBlocks) };
}

/** A page that a client did not answer is halved; one that it answered doubles again. */
export function nextPageBlocks(pageBlocks: number, answered: boolean, most: number): number {
  return answered ? Math.min(most, pageBlocks * 2) : Math.max(1, Math.floor(pageBlocks / 2));
}
