import { isPending, isVoteFor, type VoteSubject } from '../../records/pending-item.js';
import { unless, type Check } from '../action.js';

/** No item is pending in the whole network. */
export const nothingPending: Check = async ({ pendingItem }) =>
  unless(!isPending(await pendingItem()), 'PENDING_APPROVALS');

/** The vote is for the pending item. */
export function waitsForVote(vote: VoteSubject): Check {
  return async ({ pendingItem, naming }) =>
    unless(isVoteFor(await pendingItem(), vote, naming.model), 'NOTHING_TO_APPROVE');
}
