import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { nodeIdIn } from './node-url.js';

/** Operations that are voted on, with their numbers in the contracts. */
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

/** The pending item, at most one in the whole network. Events do not contain it, so it is read from the contracts. */
export interface PendingItem {
  /** Full id; empty when nothing is pending. */
  readonly orgId: string;
  /** Under the first model the URL of a node, under the second its node id; empty when the item concerns no node. */
  readonly enodeId: string;
  /** The zero address when the item concerns no account. */
  readonly account: Address;
  /** One of `PENDING_OPERATION`. */
  readonly operation: number;
}

/** The subject of a vote. */
export interface VoteSubject {
  readonly operation: PendingOperation;
  readonly orgId: string;
  /** Enode URL; empty when the vote concerns no node. */
  readonly url?: string;
  readonly account?: Address;
}

/** Whether an item is pending. */
export function isPending(item: PendingItem): boolean {
  return item.operation !== PENDING_OPERATION.none;
}

/** Whether the vote is for the pending item. */
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
