import type { Address } from '@tetrad/types';

/** A vote about a validator; the consensus library defines the meaning. */
export interface OpenVote {
  readonly block: number;
  readonly validator: Address;
  readonly recipient: Address;
  readonly isAdd: boolean;
}

/** Changes of a block to the validators. */
export interface ValidatorChange {
  /** The set after the block, if it changed. */
  readonly validators?: readonly Address[];
  /** Votes that are open from this block on. */
  readonly opened: readonly OpenVote[];
  /** Votes that are open until this block. */
  readonly closed: readonly OpenVote[];
}

/** The validators after a block and the open votes. */
export interface StoredSnapshot {
  readonly validators: readonly Address[];
  /** In the order of their blocks. */
  readonly votes: readonly OpenVote[];
}

/** The signing record of a validator key, as the consensus engine encodes it, and its view. */
export interface StoredConsensusRecord {
  readonly height: number;
  readonly round: number;
  readonly record: Uint8Array;
}
