import type { Address } from '@tetrad/types';
import type { ValidatorVote } from './qbft-extra-data.js';
import { isMeaningful, type ValidatorSnapshot } from './validator-snapshot.js';

/** Address → whether this node wants it in or out. */
export type Candidates = ReadonlyMap<Address, boolean>;

/**
 * The vote that this node's next proposal carries: one of the candidates at random whose vote counts now.
 * @param random - a number from 0 to below 1
 */
export function chooseVote(
  candidates: Candidates,
  snapshot: ValidatorSnapshot,
  random: () => number,
): ValidatorVote | undefined {
  const votes = [...candidates]
    .map(([recipient, isAdd]): ValidatorVote => ({ recipient, isAdd }))
    .filter((vote) => isMeaningful(snapshot, vote));
  return votes[Math.floor(random() * votes.length)];
}
