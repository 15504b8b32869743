import { isAdminRole } from '../../records/policy.js';
import type { PermissionRecords } from '../../records/permission-records.js';
import { unless, type Check } from '../action.js';
import type { ActionRejection } from '../rejection-texts.js';

/** Greatest access of a role. */
const MAX_ACCESS = { v1: 3, v2: 7 } as const;

/** The organization does not have the role. */
export function roleIsNew(orgId: string, roleId: string): Check {
  return ({ records }) => unless(records.role(orgId, roleId) === undefined, 'ROLE_EXISTS');
}

/** The access is from 0 to the greatest one of the model. */
export function accessInRange(access: number): Check {
  return ({ naming }) => unless(access <= MAX_ACCESS[naming.model], 'INVALID_ACCESS_TYPE');
}

/** It is not one of the two roles that only votes assign. */
export function notAdminRole(roleId: string, reason: ActionRejection): Check {
  return ({ policy }) => unless(!isAdminRole(policy, roleId), reason);
}

/** It is one of the two roles that only votes assign. */
export function isRoleOfAdmins(roleId: string): Check {
  return ({ policy }) => unless(isAdminRole(policy, roleId), 'OPERATION_NOT_ALLOWED');
}

/** The organization has the role, and it is active. */
export function roleIsActive(orgId: string, roleId: string): Check {
  return ({ records }) => {
    const role = records.role(orgId, roleId);
    if (role === undefined) return 'INVALID_ROLE';
    return unless(role.active, 'ROLE_INACTIVE');
  };
}

/** No account of the organization, or of those below it, has the role. */
export function roleIsUnused(orgId: string, roleId: string): Check {
  return ({ records }) =>
    unless(
      !records.accounts().some((entry) => entry.roleId === roleId && isWithin(records, entry.orgId, orgId)),
      'ROLE_HAS_ACCOUNTS',
    );
}

/** It is a role of the organization, and active in its master. */
export function roleIsAssignable(orgId: string, roleId: string): Check {
  return ({ records }) => {
    const master = records.org(orgId)?.ultimateParent ?? orgId;
    const known = records.role(orgId, roleId) !== undefined;
    return unless(known && records.role(master, roleId)?.active === true, 'INVALID_ROLE');
  };
}

function isWithin(records: PermissionRecords, orgId: string, masterOrgId: string): boolean {
  return orgId === masterOrgId || records.org(orgId)?.ultimateParent === masterOrgId;
}
