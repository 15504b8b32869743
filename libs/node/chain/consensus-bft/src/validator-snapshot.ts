import type { Address } from '@tetrad/types';
import { sortValidators } from './bft-rules.js';
import { ConsensusError } from './consensus-error.js';
import type { ValidatorVote } from './qbft-extra-data.js';

/** A vote that counts: for an address that is not a validator, or against one that is. */
export interface CastVote extends ValidatorVote {
  /** The voter, which proposed the block with this number. */
  readonly validator: Address;
  readonly block: number;
}

/** The validators after a block, and the open votes. Values are shared and immutable. */
export interface ValidatorSnapshot {
  /** The block after which this holds. */
  readonly number: number;
  /** Ascending by bytes; they produce the next block. */
  readonly validators: readonly Address[];
  /** In the order in which they were cast. */
  readonly votes: readonly CastVote[];
}

/** The parts of a block that matter for the validators. */
export interface VotingBlock {
  readonly number: number;
  readonly author: Address;
  readonly vote: ValidatorVote | undefined;
}

/** The votes about an address; all of them are to add it, or all to drop. */
export interface Tally {
  readonly isAdd: boolean;
  readonly votes: number;
}

/** The snapshot of a set that does not result from votes: block 0, a list of a transition, a contract. */
export function snapshotOf(number: number, validators: readonly Address[]): ValidatorSnapshot {
  return { number, validators: sortValidators([...new Set(validators)]), votes: [] };
}

/**
 * The snapshot after the next block (docs/spec/bft.md#votes).
 * @param epochLength - blocks after which open votes are forgotten
 * @throws ConsensusError `invalid voting chain` when the block does not follow, `unauthorized` when its author is not a
 *   validator
 */
export function applyBlock(
  snapshot: ValidatorSnapshot,
  { number, author, vote }: VotingBlock,
  epochLength: number,
): ValidatorSnapshot {
  if (number !== snapshot.number + 1) throw new ConsensusError('invalid voting chain');
  if (!snapshot.validators.includes(author)) throw new ConsensusError('unauthorized');
  const isCheckpoint = number % epochLength === 0 && snapshot.votes.length > 0;
  const open: ValidatorSnapshot = { ...snapshot, number, votes: isCheckpoint ? [] : snapshot.votes };
  return vote === undefined ? open : settle(cast(open, { ...vote, validator: author, block: number }), vote);
}

/** Whether a vote would count now. */
export function isMeaningful(
  { validators }: ValidatorSnapshot,
  { recipient, isAdd }: ValidatorVote,
): boolean {
  return validators.includes(recipient) !== isAdd;
}

/** The votes by recipient, ascending by bytes. */
export function tallyOf({ votes }: ValidatorSnapshot): ReadonlyMap<Address, Tally> {
  const tally = new Map<Address, Tally>();
  for (const recipient of sortValidators([...new Set(votes.map((vote) => vote.recipient))])) {
    const about = votes.filter((vote) => vote.recipient === recipient);
    tally.set(recipient, { isAdd: about[0]?.isAdd === true, votes: about.length });
  }
  return tally;
}

/** Withdraws the author's earlier vote on the recipient, and counts the new one if it is meaningful. */
function cast(snapshot: ValidatorSnapshot, vote: CastVote): ValidatorSnapshot {
  const isEarlier = (one: CastVote) => one.validator === vote.validator && one.recipient === vote.recipient;
  const counts = isMeaningful(snapshot, vote);
  if (!counts && !snapshot.votes.some(isEarlier)) return snapshot;
  const others = snapshot.votes.filter((one) => !isEarlier(one));
  return { ...snapshot, votes: counts ? [...others, vote] : others };
}

/** Changes the set when more than half of it agree about the recipient; others wait until their next vote. */
function settle(snapshot: ValidatorSnapshot, { recipient }: ValidatorVote): ValidatorSnapshot {
  const { validators, votes } = snapshot;
  const about = votes.filter((vote) => vote.recipient === recipient);
  if (about.length <= Math.floor(validators.length / 2)) return snapshot;
  const others = votes.filter((vote) => vote.recipient !== recipient);
  if (about[0]?.isAdd === true) {
    return { ...snapshot, validators: sortValidators([...validators, recipient]), votes: others };
  }
  return {
    ...snapshot,
    validators: validators.filter((validator) => validator !== recipient),
    // A removed validator loses its votes too.
    votes: others.filter((vote) => vote.validator !== recipient),
  };
}
