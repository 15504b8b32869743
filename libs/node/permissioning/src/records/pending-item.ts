import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { nodeIdIn } from './node-url.js';

/** What is voted on, as the contracts number it. */
export const PENDING_OPERATION = {
  none: 0,
  addOrg: 1,
  suspendOrg: 2,
  reactivateOrg: 3,
  assignAdminRole: 4,
  recoverNode: 5,
  recoverAccount: 6,
} as const;

export type PendingOperation = (typeof PENDING_OPERATION)[keyof typeof PENDING_OPERATION];

/** What waits for approval in the whole network: one item at most. Events do not tell, so it is read from the contracts. */
export interface PendingItem {
  /** Full id; empty when nothing is pending. */
  readonly orgId: string;
  /** Under the first model the URL of a node, under the second its node id; empty when it is about none. */
  readonly enodeId: string;
  /** The zero address when it is about none. */
  readonly account: Address;
  /** One of `PENDING_OPERATION`. */
  readonly operation: number;
}

/** What a vote is for. */
export interface VoteSubject {
  readonly operation: PendingOperation;
  readonly orgId: string;
  /** Enode URL; empty when it is about none. */
  readonly url?: string;
  readonly account?: Address;
}

/** Whether something waits for approval. */
export function isPending(item: PendingItem): boolean {
  return item.operation !== PENDING_OPERATION.none;
}

/** Whether the vote is for what waits. */
export function isVoteFor(item: PendingItem, vote: VoteSubject, model: PermissionModel): boolean {
  const { operation, orgId, url = '', account = ZERO_ADDRESS } = vote;
  const enodeId = model === 'v1' ? url : (nodeIdIn(url) ?? '');
  return (
    item.operation === operation &&
    item.orgId === orgId &&
    item.account === account &&
    (model === 'v1' ? item.enodeId : item.enodeId.toLowerCase()) === enodeId
  );
}
