import type { Address, BlockHeader, Hash } from '@tetrad/types';

/** A block as a proposal encodes it: no committed seals, round 0, so that one hash has one encoding. */
export interface ProposedBlock {
  readonly hash: Hash;
  readonly header: BlockHeader;
  /** The builder, which in a later round need not be the proposer. */
  readonly author: Address;
  /** RLP of the whole block; only the header is understood here. */
  readonly encoded: Uint8Array;
}

/** Height and round of something in the protocol. */
export interface View {
  /** Number of the block being decided; `sequence` on the wire. */
  readonly height: number;
  readonly round: number;
}

interface Signature {
  /** r ‖ s ‖ parity, 65 bytes. */
  readonly signature: Uint8Array;
}

/** "The proposal is valid." */
export interface PreparePayload extends View {
  readonly digest: Hash;
}

/** "A quorum has prepared the proposal." */
export interface CommitPayload extends View {
  readonly digest: Hash;
  /** 65 bytes in QBFT. Empty in IBFT, whose seals are given after the decision (docs/adr/0030). */
  readonly seal: Uint8Array;
}

/** IBFT only: a committed seal over the decided block. */
export interface SealPayload extends View {
  readonly digest: Hash;
  readonly seal: Uint8Array;
}

/** "I enter this round, and this is the newest block that I have prepared." */
export interface RoundChangePayload extends View {
  readonly prepared?: { readonly round: number; readonly digest: Hash };
}

export type SignedPrepare = PreparePayload & Signature;
export type SignedRoundChange = RoundChangePayload & Signature;

export interface ProposalMessage extends View, Signature {
  readonly kind: 'proposal';
  readonly sender: Address;
  readonly block: ProposedBlock;
  /** Why the block may be proposed in a round above 0. */
  readonly roundChanges: readonly SignedRoundChange[];
  readonly prepares: readonly SignedPrepare[];
}

export interface PrepareMessage extends SignedPrepare {
  readonly kind: 'prepare';
  readonly sender: Address;
}

export interface CommitMessage extends CommitPayload, Signature {
  readonly kind: 'commit';
  readonly sender: Address;
}

export interface SealMessage extends SealPayload, Signature {
  readonly kind: 'seal';
  readonly sender: Address;
}

export interface RoundChangeMessage extends SignedRoundChange {
  readonly kind: 'roundChange';
  readonly sender: Address;
  /** The block that was prepared, and the quorum that prepared it. */
  readonly block?: ProposedBlock;
  readonly prepares: readonly SignedPrepare[];
}

/** Messages between validators; the sender is the signer. */
export type ConsensusMessage =
  ProposalMessage | PrepareMessage | CommitMessage | SealMessage | RoundChangeMessage;

export type MessageKind = ConsensusMessage['kind'];
