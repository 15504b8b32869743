import type { Address, Hash } from '@tetrad/types';

/** How far ahead of its own round a machine keeps votes; others are dropped, and round changes make up for them. */
const MAX_ROUNDS_AHEAD = 16;

interface Vote {
  readonly round: number;
  readonly sender: Address;
  readonly digest: Hash;
}

/** Votes of one kind by round and sender: at most one each. */
export type Votes<V extends Vote> = ReadonlyMap<number, ReadonlyMap<Address, V>>;

export type VoteResult = 'added' | 'duplicate' | 'conflict' | 'tooFar';

/** Adds a vote; the first vote of a sender in a round counts. */
export function addVote<V extends Vote>(
  votes: Votes<V>,
  vote: V,
  currentRound: number,
): { readonly votes: Votes<V>; readonly result: VoteResult } {
  if (vote.round > currentRound + MAX_ROUNDS_AHEAD) return { votes, result: 'tooFar' };
  const earlier = votes.get(vote.round)?.get(vote.sender);
  if (earlier !== undefined)
    return { votes, result: earlier.digest === vote.digest ? 'duplicate' : 'conflict' };
  const ofRound = new Map(votes.get(vote.round)).set(vote.sender, vote);
  return { votes: new Map(votes).set(vote.round, ofRound), result: 'added' };
}

/** Votes for the digest in the round. */
export function votesFor<V extends Vote>(votes: Votes<V>, round: number, digest: Hash): V[] {
  return [...(votes.get(round)?.values() ?? [])].filter((vote) => vote.digest === digest);
}

/** The votes of a round that pass the test, and all votes of other rounds. */
export function keepVotes<V extends Vote>(
  votes: Votes<V>,
  round: number,
  test: (vote: V) => boolean,
): Votes<V> {
  const kept = [...(votes.get(round) ?? [])].filter(([, vote]) => test(vote));
  return new Map(votes).set(round, new Map(kept));
}

/** Votes from the round on. */
export function votesFrom<V extends Vote>(votes: Votes<V>, round: number): Votes<V> {
  return new Map([...votes].filter(([one]) => one >= round));
}
