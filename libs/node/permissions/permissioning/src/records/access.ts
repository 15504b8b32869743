import type { Address } from '@tetrad/types';
import {
  ACCESS,
  ACCOUNT_STATUS,
  NODE_STATUS,
  ORG_STATUS,
  type AccountEntry,
  type RoleEntry,
} from './entries.js';
import type { PermissionRecords } from './permission-records.js';
import { isAdminRole, type PermissionPolicy } from './policy.js';

/** Decisions from records alone: all of them under the first model, the node of an account under both. */

/** The records on which the access of an account depends. */
export type AccessRecords = Pick<PermissionRecords, 'org' | 'role' | 'account'>;

/** Whether neither the organization nor its master is suspended. False for an unknown one. */
export function isOrgActive(records: Pick<AccessRecords, 'org'>, orgId: string): boolean {
  const org = records.org(orgId);
  const master = org && records.org(org.ultimateParent);
  if (org === undefined || master === undefined) return false;
  return org.status !== ORG_STATUS.suspended && master.status !== ORG_STATUS.suspended;
}

/** Access of an account under the first model; `none` for one that is unknown, not active or of a suspended organization. */
export function accessOf(records: AccessRecords, policy: PermissionPolicy, account: Address): number {
  const entry = records.account(account);
  if (entry?.status !== ACCOUNT_STATUS.active || !isOrgActive(records, entry.orgId)) return ACCESS.none;
  if (isAdminRole(policy, entry.roleId)) return ACCESS.full;
  return roleOf(records, entry)?.access ?? ACCESS.none;
}

/** Whether an account is an admin of its organization or of the network, as extensions of contracts require (section 14). */
export function isAdminAccount(records: AccessRecords, policy: PermissionPolicy, account: Address): boolean {
  const entry = records.account(account);
  if (entry?.status !== ACCOUNT_STATUS.active || !isOrgActive(records, entry.orgId)) return false;
  return isAdminRole(policy, entry.roleId) || roleOf(records, entry)?.isAdmin === true;
}

/** The role that is in use: of the account's organization, or of the master. */
function roleOf(records: AccessRecords, { orgId, roleId }: AccountEntry): RoleEntry | undefined {
  const master = records.org(orgId)?.ultimateParent ?? orgId;
  return [orgId, master]
    .map((owner) => records.role(owner, roleId))
    .find((candidate) => candidate?.active === true);
}

/** Whether access under the first model is enough for a transaction. */
export function accessAllows(access: number, isDeployment: boolean): boolean {
  if (access === ACCESS.transact) return !isDeployment;
  return access === ACCESS.deploy || access === ACCESS.full;
}

/** Whether a node with that id is approved. */
export function isNodeApproved(records: PermissionRecords, nodeId: string): boolean {
  return records.nodesNamed(nodeId).some(({ status }) => status === NODE_STATUS.approved);
}

/**
 * Whether an account may send through a node, which must be approved for an organization of the same tree. True for an
 * unknown account, about which the pool decides.
 */
export function maySendThrough(records: PermissionRecords, account: Address, nodeId: string): boolean {
  const entry = records.account(account);
  if (entry === undefined) return true;
  const master = records.org(entry.orgId)?.ultimateParent;
  return (
    master !== undefined &&
    records
      .nodesNamed(nodeId)
      .some(
        ({ status, orgId }) =>
          status === NODE_STATUS.approved && records.org(orgId)?.ultimateParent === master,
      )
  );
}

/** Whether the account has the role of network admins, whatever its status. */
export function isNetworkAdmin(
  records: PermissionRecords,
  policy: PermissionPolicy,
  account: Address,
): boolean {
  return records.account(account)?.roleId === policy.networkAdminRole;
}

/** Whether the account is admin of that organization or of its master, whatever its status. */
export function isOrgAdmin(records: PermissionRecords, account: Address, orgId: string): boolean {
  const [entry, org] = [records.account(account), records.org(orgId)];
  if (entry?.isOrgAdmin !== true || org === undefined) return false;
  return entry.orgId === orgId || entry.orgId === org.ultimateParent;
}
