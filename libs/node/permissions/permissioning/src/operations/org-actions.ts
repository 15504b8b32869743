import type { Address } from '@tetrad/types';
import { ORG_STATUS } from '../records/entries.js';
import { PENDING_OPERATION, type PendingOperation } from '../records/pending-item.js';
import type { PermissionAction } from './action.js';
import { accountIsFreeFor } from './checks/accounts.js';
import { byNetworkAdmin, byOrgAdmin, actionAmong, given } from './checks/call.js';
import { nodeIsNew, nodeIsReadable } from './checks/nodes.js';
import {
  isMasterOrg,
  notNetworkAdminOrg,
  orgHasStatus,
  orgIsKnown,
  orgIsNew,
  roomForSubOrg,
  wellFormedOrgId,
} from './checks/orgs.js';
import { roomInRecords } from './checks/shares.js';
import { nothingPending, waitsForVote } from './checks/votes.js';

export interface NewOrg {
  readonly orgId: string;
  readonly url: string;
  readonly account: Address;
}

/** Proposes an organization with its first node and its admin. */
export function addOrg(caller: Address, { orgId, url, account }: NewOrg): PermissionAction {
  return {
    checks: [
      given(orgId, url, account),
      wellFormedOrgId(orgId),
      byNetworkAdmin(caller),
      nothingPending,
      orgIsNew(orgId),
      nodeIsNew(url),
      accountIsFreeFor(orgId, account),
    ],
    operation: (node) => ({ name: 'addOrg', orgId, node: node(url), account }),
  };
}

/** Votes for a proposed organization. */
export function approveOrg(caller: Address, { orgId, url, account }: NewOrg): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      waitsForVote({ operation: PENDING_OPERATION.addOrg, orgId, url, account }),
      // Under the second model the vote is matched by node id, and the rest of the URL goes to the contracts.
      nodeIsReadable(url),
    ],
    operation: (node) => ({ name: 'approveOrg', orgId, node: node(url), account }),
  };
}

export interface NewSubOrg {
  readonly parentOrgId: string;
  /** Last part of the id, without the ids of its ancestors. */
  readonly orgId: string;
  /** Enode URL; empty for an organization without a node. */
  readonly url: string;
}

/** Adds an organization below another, without a vote. */
export function addSubOrg(caller: Address, { parentOrgId, orgId, url }: NewSubOrg): PermissionAction {
  return {
    checks: [
      given(orgId),
      wellFormedOrgId(orgId),
      byOrgAdmin(caller, parentOrgId),
      orgIsNew(`${parentOrgId}.${orgId}`),
      roomForSubOrg(parentOrgId),
      nodeIsNew(url),
      roomInRecords('orgs', parentOrgId),
      ...(url === '' ? [] : [roomInRecords('nodes', parentOrgId)]),
    ],
    operation: (node) => ({ name: 'addSubOrg', parentOrgId, orgId, node: node(url) }),
  };
}

/** Action → the status that it requires, and the operation that is voted on. */
const STATUS_ACTIONS: Readonly<Record<number, { from: number; vote: PendingOperation }>> = {
  1: { from: ORG_STATUS.approved, vote: PENDING_OPERATION.suspendOrg },
  2: { from: ORG_STATUS.suspended, vote: PENDING_OPERATION.reactivateOrg },
};

export interface OrgStatusChange {
  readonly orgId: string;
  /** 1 suspends, 2 activates again. */
  readonly action: number;
}

/** Proposes to suspend a master organization, or to activate it again. */
export function updateOrgStatus(caller: Address, { orgId, action }: OrgStatusChange): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      actionAmong(action, [1, 2]),
      notNetworkAdminOrg(orgId),
      orgIsKnown(orgId),
      isMasterOrg(orgId),
      orgHasStatus(orgId, STATUS_ACTIONS[action]?.from),
    ],
    operation: () => ({ name: 'updateOrgStatus', orgId, action }),
  };
}

/** Votes for what `updateOrgStatus` proposed. */
export function approveOrgStatus(caller: Address, { orgId, action }: OrgStatusChange): PermissionAction {
  const operation = STATUS_ACTIONS[action]?.vote ?? PENDING_OPERATION.none;
  return {
    checks: [byNetworkAdmin(caller), actionAmong(action, [1, 2]), waitsForVote({ operation, orgId })],
    operation: () => ({ name: 'approveOrgStatus', orgId, action }),
  };
}
