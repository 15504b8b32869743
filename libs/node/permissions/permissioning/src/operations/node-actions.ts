import type { Address } from '@tetrad/types';
import { NODE_STATUS } from '../records/entries.js';
import { PENDING_OPERATION } from '../records/pending-item.js';
import type { PermissionAction } from './action.js';
import { byNetworkAdmin, byOrgAdmin, given } from './checks/call.js';
import { nodeHasStatus, nodeIsNew, nodeIsOf, nodeMayChange } from './checks/nodes.js';
import { orgIsKnown } from './checks/orgs.js';
import { roomInRecords } from './checks/shares.js';
import { nothingPending, waitsForVote } from './checks/votes.js';

/** A node of an organization. */
export interface OrgNode {
  readonly orgId: string;
  readonly url: string;
}

/** Adds a node to an organization, without a vote. */
export function addNode(caller: Address, { orgId, url }: OrgNode): PermissionAction {
  return {
    checks: [given(url), byOrgAdmin(caller, orgId), nodeIsNew(url), roomInRecords('nodes', orgId)],
    operation: (node) => ({ name: 'addNode', orgId, node: node(url) }),
  };
}

/** Deactivates (1), activates again (2) or denylists (3) a node. */
export function updateNodeStatus(
  caller: Address,
  { orgId, url, action }: OrgNode & { readonly action: number },
): PermissionAction {
  return {
    checks: [byOrgAdmin(caller, orgId), ...nodeIsOf(orgId, url), nodeMayChange(orgId, url, action)],
    operation: (node) => ({ name: 'updateNodeStatus', orgId, node: node(url), action }),
  };
}

/** Proposes to admit a denylisted node again. */
export function recoverNode(caller: Address, { orgId, url }: OrgNode): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      orgIsKnown(orgId),
      ...nodeIsOf(orgId, url),
      nodeHasStatus(orgId, url, NODE_STATUS.denylisted),
      nothingPending,
    ],
    operation: (node) => ({ name: 'startBlacklistedNodeRecovery', orgId, node: node(url) }),
  };
}

/** Votes for what `recoverNode` proposed. */
export function approveNodeRecovery(caller: Address, { orgId, url }: OrgNode): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      orgIsKnown(orgId),
      ...nodeIsOf(orgId, url),
      nodeHasStatus(orgId, url, NODE_STATUS.recovering, 'NODE_DENYLISTED'),
      waitsForVote({ operation: PENDING_OPERATION.recoverNode, orgId, url }),
    ],
    operation: (node) => ({ name: 'approveBlacklistedNodeRecovery', orgId, node: node(url) }),
  };
}
