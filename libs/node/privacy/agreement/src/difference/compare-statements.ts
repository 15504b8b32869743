import type { Hash } from '@tetrad/types';
import { UNDISCLOSED, listDigest, type ToldList } from '../outcome/outcome-list.js';
import { disclosedList, type OwnListed } from '../outcome/own-list.js';
import { firstInLists } from './first-difference.js';

/** What two parties' statements of a block say of their results. */
export type Comparison =
  /** Their digests differ, and the other party has not told its list yet. */
  | { readonly state: 'comparing' }
  | { readonly state: 'diverged'; readonly transaction: Hash }
  /** What both tell is equal, and one of them does not tell all. */
  | { readonly state: 'undisclosed' }
  | { readonly state: 'agreed' };

/**
 * @param own - what this node has, also where it does not tell it
 * @param digest - that the other party states
 * @param other - undefined as long as the other party has not told it
 */
export function compareStatements(
  own: readonly OwnListed[],
  digest: Hash,
  other: ToldList | undefined,
): Comparison {
  if (digest === listDigest(disclosedList(own)))
    return { state: own.every(({ isDisclosed }) => isDisclosed) ? 'agreed' : 'undisclosed' };
  if (other === undefined) return { state: 'comparing' };
  const difference = firstInLists(own, other);
  if (difference !== undefined) return { state: 'diverged', transaction: difference.transaction };
  const isKnown = [...own, ...other.outcomes].every((one) => one.digest !== UNDISCLOSED);
  return { state: isKnown && other.isWhole ? 'agreed' : 'undisclosed' };
}
