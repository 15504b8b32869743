import type { Client } from 'viem';
import { callMethod } from '../wire/call-method.js';
import type { ResultOf } from '../wire/method-types.js';

type WireAccount = ResultOf<'chainPermission_acctList'>[number];
type WireNode = ResultOf<'chainPermission_nodeList'>[number];
type WireOrg = ResultOf<'chainPermission_orgList'>[number];

/** Names of the numbers on the wire, from 0; the contracts of a network may have others, which are `unknown`. */
const ACCOUNT_STATUSES = [
  'unknown',
  'pending',
  'active',
  'inactive',
  'suspended',
  'denylisted',
  'revoked',
  'recovering',
] as const;
const NODE_STATUSES = ['unknown', 'proposed', 'approved', 'deactivated', 'denylisted', 'recovering'] as const;
const ORG_STATUSES = ['unknown', 'proposed', 'approved', 'suspending', 'suspended', 'reactivating'] as const;

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];
export type NodeStatus = (typeof NODE_STATUSES)[number];
export type OrgStatus = (typeof ORG_STATUSES)[number];

/** An account and its role in an organization. */
export type PermissionAccount = Omit<WireAccount, 'status'> & { readonly status: AccountStatus };

/** A node and the organization it belongs to. */
export type PermissionNode = Omit<WireNode, 'status'> & { readonly status: NodeStatus };

/** An organization in its place in the hierarchy. */
export type PermissionOrg = Omit<WireOrg, 'status' | 'subOrgList'> & {
  readonly status: OrgStatus;
  readonly subOrgList: readonly string[];
};

/** A role of an organization and what its accounts may do. */
export type PermissionRole = ResultOf<'chainPermission_roleList'>[number];

/** All that belongs to one organization. */
export interface PermissionOrgDetails {
  readonly acctList: readonly PermissionAccount[];
  readonly nodeList: readonly PermissionNode[];
  readonly roleList: readonly PermissionRole[];
  readonly subOrgList: readonly string[];
}

/** A node may say anything, also the name of a member of the list. */
function statusOf<Status extends string>(names: readonly Status[], status: unknown): Status | 'unknown' {
  return (Number.isInteger(status) ? names[status as number] : undefined) ?? 'unknown';
}

export function accountRecord({ status, ...account }: WireAccount): PermissionAccount {
  return { ...account, status: statusOf(ACCOUNT_STATUSES, status) };
}

export function nodeRecord({ status, ...node }: WireNode): PermissionNode {
  return { ...node, status: statusOf(NODE_STATUSES, status) };
}

export function orgRecord({ status, subOrgList, ...org }: WireOrg): PermissionOrg {
  return { ...org, status: statusOf(ORG_STATUSES, status), subOrgList: subOrgList ?? [] };
}

/** Accounts of the network. */
export async function acctList(client: Client): Promise<readonly PermissionAccount[]> {
  return (await callMethod(client, 'chainPermission_acctList')).map(accountRecord);
}

/** Nodes of the network. */
export async function nodeList(client: Client): Promise<readonly PermissionNode[]> {
  return (await callMethod(client, 'chainPermission_nodeList')).map(nodeRecord);
}

/** Organizations of the network. */
export async function orgList(client: Client): Promise<readonly PermissionOrg[]> {
  return (await callMethod(client, 'chainPermission_orgList')).map(orgRecord);
}

/** Roles of the network. */
export function roleList(client: Client): Promise<readonly PermissionRole[]> {
  return callMethod(client, 'chainPermission_roleList');
}

/** Accounts, nodes, roles and sub-organizations of one organization. */
export async function getOrgDetails(
  client: Client,
  { orgId }: { readonly orgId: string },
): Promise<PermissionOrgDetails> {
  const details = await callMethod(client, 'chainPermission_getOrgDetails', orgId);
  return {
    acctList: (details.acctList ?? []).map(accountRecord),
    nodeList: (details.nodeList ?? []).map(nodeRecord),
    roleList: details.roleList ?? [],
    subOrgList: details.subOrgList ?? [],
  };
}
