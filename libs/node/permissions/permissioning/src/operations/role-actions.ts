import type { Address } from '@tetrad/types';
import type { PermissionAction } from './action.js';
import { byOrgAdmin, given } from './checks/call.js';
import { accessInRange, notAdminRole, roleIsActive, roleIsNew, roleIsUnused } from './checks/roles.js';
import { roomInRecords } from './checks/shares.js';

export interface NewRole {
  readonly orgId: string;
  readonly roleId: string;
  /** 0 to 3 under the first model, 0 to 7 under the second. */
  readonly access: number;
  readonly isVoter: boolean;
  readonly isAdmin: boolean;
}

/** Creates a role of an organization. */
export function addRole(caller: Address, role: NewRole): PermissionAction {
  const { orgId, roleId, access } = role;
  return {
    checks: [
      given(roleId),
      byOrgAdmin(caller, orgId),
      roleIsNew(orgId, roleId),
      accessInRange(access),
      roomInRecords('roles', orgId),
    ],
    operation: () => ({ name: 'addNewRole', ...role }),
  };
}

/** Makes a role inactive permanently. */
export function removeRole(
  caller: Address,
  { orgId, roleId }: Pick<NewRole, 'orgId' | 'roleId'>,
): PermissionAction {
  return {
    checks: [
      byOrgAdmin(caller, orgId),
      notAdminRole(roleId, 'ADMIN_ROLE_NOT_REMOVABLE'),
      roleIsActive(orgId, roleId),
      roleIsUnused(orgId, roleId),
    ],
    operation: () => ({ name: 'removeRole', orgId, roleId }),
  };
}
