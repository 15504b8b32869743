import type { Address } from '@tetrad/types';

/** A vote about a validator; the consensus library defines the meaning. */
export interface VoteRow {
  readonly block: number;
  readonly validator: Address;
  readonly recipient: Address;
  readonly add: boolean;
}

/** Changes of a block to the validators. */
export interface ValidatorChange {
  /** The set after the block, if it changed. */
  readonly validators?: readonly Address[];
  /** Votes that are open from this block on. */
  readonly opened: readonly VoteRow[];
  /** Votes that are open until this block. */
  readonly closed: readonly VoteRow[];
}

/** The validators after a block and the open votes. */
export interface SnapshotRow {
  readonly validators: readonly Address[];
  /** In the order of their blocks. */
  readonly votes: readonly VoteRow[];
}

/** The signing record of a validator key, as the consensus engine encodes it, and its view. */
export interface ConsensusRecordRow {
  readonly height: number;
  readonly round: number;
  readonly record: Uint8Array;
}
