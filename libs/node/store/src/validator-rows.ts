import type { Address } from '@tetrad/types';

/** A vote about a validator; meaning is the consensus library's. */
export interface VoteRow {
  readonly block: number;
  readonly validator: Address;
  readonly recipient: Address;
  readonly add: boolean;
}

/** What a block changes about the validators. */
export interface ValidatorChange {
  /** The set after the block, if it is another one. */
  readonly validators?: readonly Address[];
  /** Votes that are open from this block on. */
  readonly opened: readonly VoteRow[];
  /** Votes that are open until this block. */
  readonly closed: readonly VoteRow[];
}

/** The validators after a block and the votes that are open then. */
export interface SnapshotRow {
  readonly validators: readonly Address[];
  /** In the order of their blocks. */
  readonly votes: readonly VoteRow[];
}
