import type { Address } from '@tetrad/types';
import type { PermissionRecords } from './permission-records.js';
import type { PermissionPolicy } from './policy.js';

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
