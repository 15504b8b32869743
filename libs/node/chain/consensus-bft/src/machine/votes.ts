import type { Address, Hash } from '@tetrad/types';

/** How far ahead of its own round a machine keeps votes; others are dropped, and round changes make up for them. */
export const MAX_ROUNDS_AHEAD = 16;

interface Vote {
  readonly round: number;
  readonly sender: Address;
  readonly digest: Hash;
}

/** Votes of one sender in a round that are kept, for different blocks. */
const MAX_OF_SENDER = 4;

/** Votes of one kind by round, and by sender and digest. */
export type Votes<V extends Vote> = ReadonlyMap<number, ReadonlyMap<string, V>>;

/** `conflict`: the sender voted for another block before. */
export type VoteResult = 'added' | 'duplicate' | 'conflict' | 'tooFar';

/**
 * Adds a vote. Of a sender that contradicts itself several are kept, each of which counts for its block alone: the first may be
 * from another process with its key, and the honest one must not be lost behind it.
 * @param options.wanted - the block of the round's proposal, whose vote replaces another when there are too many
 */
export function addVote<V extends Vote>(
  votes: Votes<V>,
  vote: V,
  { round, wanted }: { readonly round: number; readonly wanted?: Hash | undefined },
): { readonly votes: Votes<V>; readonly result: VoteResult } {
  if (vote.round > round + MAX_ROUNDS_AHEAD) return { votes, result: 'tooFar' };
  const ofRound = new Map(votes.get(vote.round));
  const key = `${vote.sender}:${vote.digest}`;
  if (ofRound.has(key)) return { votes, result: 'duplicate' };
  const [oldest, ...more] = [...ofRound].filter(([, { sender }]) => sender === vote.sender);
  const result = oldest === undefined ? 'added' : 'conflict';
  if (oldest !== undefined && more.length + 1 >= MAX_OF_SENDER) {
    if (vote.round !== round || vote.digest !== wanted) return { votes, result };
    ofRound.delete(oldest[0]);
  }
  return { votes: new Map(votes).set(vote.round, ofRound.set(key, vote)), result };
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
