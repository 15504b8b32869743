import { isPending, isVoteFor, type VoteSubject } from '../../records/pending-item.js';
import { unless, type Check } from '../action.js';

/** Nothing waits for approval in the whole network. */
export const nothingPending: Check = async ({ pendingItem }) =>
  unless(!isPending(await pendingItem()), 'PENDING_APPROVALS');

/** What waits is what the vote is for. */
export function waitsForVote(vote: VoteSubject): Check {
  return async ({ pendingItem, naming }) =>
    unless(isVoteFor(await pendingItem(), vote, naming.model), 'NOTHING_TO_APPROVE');
}
