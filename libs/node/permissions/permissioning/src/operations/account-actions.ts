import type { Address } from '@tetrad/types';
import { ACCOUNT_STATUS } from '../records/entries.js';
import { PENDING_OPERATION } from '../records/pending-item.js';
import type { PermissionAction } from './action.js';
import {
  accountHasStatus,
  accountIsFreeFor,
  accountIsKnown,
  accountIsOf,
  accountMayChange,
  notAgainstAdmin,
  notYetAdmin,
} from './checks/accounts.js';
import { byNetworkAdmin, byOrgAdmin, actionAmong, given } from './checks/call.js';
import { orgIsKnown } from './checks/orgs.js';
import { isRoleOfAdmins, notAdminRole, roleIsAssignable } from './checks/roles.js';
import { roomForAccount } from './checks/shares.js';
import { nothingPending, waitsForVote } from './checks/votes.js';

/** An account of an organization. */
export interface OrgAccount {
  readonly orgId: string;
  readonly account: Address;
}

export interface RoleAssignment extends OrgAccount {
  readonly roleId: string;
}

/** Gives an account a role in an organization, the first one or another. */
export function assignRole(caller: Address, { orgId, account, roleId }: RoleAssignment): PermissionAction {
  return {
    checks: [
      given(account),
      notAdminRole(roleId, 'INVALID_ROLE'),
      byOrgAdmin(caller, orgId),
      roleIsAssignable(orgId, roleId),
      accountIsFreeFor(orgId, account),
      roomForAccount(orgId, account),
    ],
    operation: () => ({ name: 'assignAccountRole', orgId, account, roleId }),
  };
}

/** Proposes a network admin, or another admin of an organization. The contracts check whether another item is pending. */
export function assignAdminRole(
  caller: Address,
  { orgId, account, roleId }: RoleAssignment,
): PermissionAction {
  return {
    checks: [
      given(account),
      isRoleOfAdmins(roleId),
      byNetworkAdmin(caller),
      orgIsKnown(orgId),
      accountIsFreeFor(orgId, account),
      notYetAdmin(orgId, account, roleId),
    ],
    operation: () => ({ name: 'assignAdminRole', orgId, account, roleId }),
  };
}

/** Votes for what `assignAdminRole` proposed. */
export function approveAdminRole(caller: Address, { orgId, account }: OrgAccount): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      accountIsKnown(account, 'INVALID_ACCOUNT'),
      waitsForVote({ operation: PENDING_OPERATION.assignAdminRole, orgId, account }),
    ],
    operation: () => ({ name: 'approveAdminRole', orgId, account }),
  };
}

/** Suspends (1), activates again (2) or denylists (3) an account. */
export function updateAccountStatus(
  caller: Address,
  { orgId, account, action }: OrgAccount & { readonly action: number },
): PermissionAction {
  return {
    checks: [
      byOrgAdmin(caller, orgId),
      accountIsKnown(account),
      notAgainstAdmin(account, action),
      accountIsOf(orgId, account),
      actionAmong(action, [1, 2, 3]),
      accountMayChange(account, action),
    ],
    operation: () => ({ name: 'updateAccountStatus', orgId, account, action }),
  };
}

/** Proposes to give a denylisted account its access again. */
export function recoverAccount(caller: Address, { orgId, account }: OrgAccount): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      accountIsKnown(account),
      accountIsOf(orgId, account),
      accountHasStatus(account, ACCOUNT_STATUS.denylisted),
      nothingPending,
    ],
    operation: () => ({ name: 'startBlacklistedAccountRecovery', orgId, account }),
  };
}

/** Votes for what `recoverAccount` proposed. */
export function approveAccountRecovery(caller: Address, { orgId, account }: OrgAccount): PermissionAction {
  return {
    checks: [
      byNetworkAdmin(caller),
      accountIsKnown(account),
      accountIsOf(orgId, account),
      accountHasStatus(account, ACCOUNT_STATUS.recovering, 'ACCOUNT_DENYLISTED'),
      waitsForVote({ operation: PENDING_OPERATION.recoverAccount, orgId, account }),
    ],
    operation: () => ({ name: 'approveBlacklistedAccountRecovery', orgId, account }),
  };
}
