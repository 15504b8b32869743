import type { Client } from 'viem';
import type { AccountParameter } from '../private/sending-account.js';
import { act } from './admin-action.js';

export type NodeOfOrgParameters = AccountParameter & {
  readonly orgId: string;
  /** Enode URL. */
  readonly enodeId: string;
};

/** Adds a node to an organization, by its admin. */
export function addNode(client: Client, parameters: NodeOfOrgParameters): Promise<void> {
  return act(client, 'chainPermission_addNode', parameters, parameters.orgId, parameters.enodeId);
}

/** Numbers of the actions that change the status of a node. */
const NODE_ACTIONS = { deactivate: 1, activate: 2, denylist: 3 } as const;

export type UpdateNodeStatusParameters = NodeOfOrgParameters & { readonly action: keyof typeof NODE_ACTIONS };

/** Deactivates, activates or denylists a node, by an admin of its organization. */
export function updateNodeStatus(client: Client, parameters: UpdateNodeStatusParameters): Promise<void> {
  const { orgId, enodeId, action } = parameters;
  return act(client, 'chainPermission_updateNodeStatus', parameters, orgId, enodeId, NODE_ACTIONS[action]);
}

/** Proposes that a denylisted node comes back, by a network admin. */
export function recoverBlackListedNode(client: Client, parameters: NodeOfOrgParameters): Promise<void> {
  const { orgId, enodeId } = parameters;
  return act(client, 'chainPermission_recoverBlackListedNode', parameters, orgId, enodeId);
}

/** Votes that a denylisted node comes back, by a network admin. */
export function approveBlackListedNodeRecovery(
  client: Client,
  parameters: NodeOfOrgParameters,
): Promise<void> {
  const { orgId, enodeId } = parameters;
  return act(client, 'chainPermission_approveBlackListedNodeRecovery', parameters, orgId, enodeId);
}
