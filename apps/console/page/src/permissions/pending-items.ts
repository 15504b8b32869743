import type { Org, PermittedAccount, PermittedNode } from '../api/permission-shapes.js';
import { quoted } from './permission-ids.js';

/** What waits for the votes of the network admins. */
export interface PendingItem {
  readonly what: string;
  readonly orgId: string;
  /** The account or the node that it is about, where it is not the organization itself. */
  readonly subject?: string;
  /** The method with which a network admin approves it, without its prefix, and its parameters without the sender. */
  readonly approval: PermissionCall;
  /** The change that it is about, for a preview; absent where only records are added. */
  readonly change?: PermissionCall;
}

/** A method of `chainPermission`, without its prefix and without the sender. */
export interface PermissionCall {
  readonly name: string;
  readonly params: readonly (string | number | boolean)[];
}

/** As people write it down. */
export function callText({ name, params }: PermissionCall): string {
  const words = params.map((param) => (typeof param === 'string' ? quoted(param) : String(param)));
  return `chainPermission_${name}(${words.join(', ')})`;
}

export interface Entries {
  readonly orgs: readonly Org[];
  readonly nodes: readonly PermittedNode[];
  readonly accounts: readonly PermittedAccount[];
}

const PROPOSED = 1;
const ORG_SUSPENDING = 3;
const ORG_REACTIVATING = 5;
const NODE_RECOVERING = 5;
const ACCOUNT_RECOVERING = 7;
const SUSPEND = 1;
const REACTIVATE = 2;

/** Whether an entry is, or belongs to, something that waits for votes. */
export const isNodePending = ({ status }: PermittedNode) => status === PROPOSED || status === NODE_RECOVERING;
export const isAccountPending = ({ status }: PermittedAccount) =>
  status === PROPOSED || status === ACCOUNT_RECOVERING;

/** The items that the statuses of the entries tell of; the contracts have one at a time. */
export function pendingItems({ orgs, nodes, accounts }: Entries): readonly PendingItem[] {
  const proposed = new Set(
    orgs.filter(({ status }) => status === PROPOSED).map(({ fullOrgId }) => fullOrgId),
  );
  return [
    ...orgs.flatMap((org) => orgItem(org, { nodes, accounts })),
    ...accounts.filter(({ orgId }) => !proposed.has(orgId)).flatMap(accountItem),
    ...nodes.flatMap(nodeItem),
  ];
}

function orgItem({ fullOrgId: orgId, status }: Org, rest: Omit<Entries, 'orgs'>): PendingItem[] {
  const calls = (action: number) => ({
    approval: callOf('approveOrgStatus', orgId, action),
    change: callOf('updateOrgStatus', orgId, action),
  });
  if (status === ORG_SUSPENDING) return [{ what: 'Suspend the organization', orgId, ...calls(SUSPEND) }];
  if (status === ORG_REACTIVATING)
    return [{ what: 'End the suspension of the organization', orgId, ...calls(REACTIVATE) }];
  if (status !== PROPOSED) return [];
  // A proposal names the first node and the admin; all three are in this status.
  const isIts = (entry: PermittedNode | PermittedAccount) =>
    entry.orgId === orgId && entry.status === PROPOSED;
  const url = rest.nodes.find(isIts)?.url ?? '';
  const admin = rest.accounts.find(isIts)?.acctId ?? '';
  return [{ what: 'Admit the organization', orgId, approval: callOf('approveOrg', orgId, url, admin) }];
}

function accountItem({ orgId, acctId: subject, roleId, status }: PermittedAccount): PendingItem[] {
  if (status === PROPOSED)
    return [
      {
        what: `Give the account the role ${quoted(roleId)}`,
        orgId,
        subject,
        approval: callOf('approveAdminRole', orgId, subject),
        change: callOf('assignAdminRole', orgId, subject, roleId),
      },
    ];
  if (status !== ACCOUNT_RECOVERING) return [];
  const approval = callOf('approveBlackListedAccountRecovery', orgId, subject);
  const change = callOf('updateAccountStatus', orgId, subject, REACTIVATE);
  return [{ what: 'Recover the denylisted account', orgId, subject, approval, change }];
}

function nodeItem({ orgId, url: subject, status }: PermittedNode): PendingItem[] {
  if (status !== NODE_RECOVERING) return [];
  const approval = callOf('approveBlackListedNodeRecovery', orgId, subject);
  const change = callOf('updateNodeStatus', orgId, subject, REACTIVATE);
  return [{ what: 'Recover the denylisted node', orgId, subject, approval, change }];
}

const callOf = (name: string, ...params: PermissionCall['params']): PermissionCall => ({ name, params });
