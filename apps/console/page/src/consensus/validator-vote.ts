import type { Snapshot } from '../api/shapes.js';

/** A vote that a node is asked to cast. */
export interface ValidatorVote {
  readonly candidate: string;
  /** In, or out. */
  readonly authorize: boolean;
}

/** What a vote does, as votes are counted. */
export interface VoteEffect {
  /** Whether the node's vote counts: it is a validator, and the candidate is not yet what is voted for. */
  readonly counts: boolean;
  readonly isValidator: boolean;
  /** Open votes of others for the same. */
  readonly votes: number;
  readonly needed: number;
  /** Validators once there are enough votes. */
  readonly after: number;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * The set of validators changes when more than half of it agree about a candidate (docs/how-to/vote.md).
 * @param voter - address of the node that is asked to vote
 */
export function effectOfVote(
  { validators, votes }: Snapshot,
  { candidate, authorize }: ValidatorVote,
  voter: string,
): VoteEffect {
  const isValidator = validators.some((address) => same(address, voter));
  const isIn = validators.some((address) => same(address, candidate));
  const others = (votes ?? []).filter(
    (vote) => same(vote.address, candidate) && vote.authorize === authorize && !same(vote.validator, voter),
  );
  return {
    isValidator,
    counts: isValidator && isIn !== authorize,
    votes: others.length,
    needed: Math.floor(validators.length / 2) + 1,
    after: validators.length + (isIn === authorize ? 0 : authorize ? 1 : -1),
  };
}
