import type { Address } from '@tetrad/types';
import { ACCOUNT_STATUS } from '../../records/entries.js';
import { isAdminRole } from '../../records/policy.js';
import { unless, type Check } from '../action.js';
import type { ActionRejection } from '../rejection-texts.js';

/** The account is in no other organization. */
export function accountIsFreeFor(orgId: string, account: Address): Check {
  return ({ records }) => unless((records.account(account)?.orgId ?? orgId) === orgId, 'ACCOUNT_IN_USE');
}

/** The account is in the contracts. The reference crashes here, so it has no text for this (docs/adr/0066). */
export function accountIsKnown(account: Address, reason: ActionRejection = 'ACCOUNT_NOT_FOUND'): Check {
  return ({ records }) => unless(records.account(account) !== undefined, reason);
}

/** The account belongs to the organization. */
export function accountIsOf(orgId: string, account: Address): Check {
  return ({ records }) => unless(records.account(account)?.orgId === orgId, 'ACCOUNT_ORG_MISMATCH');
}

/**
 * The account does not have the admin role yet: it does not have the role, and for the role of organization admins it is not
 * an admin of the organization. A network admin who is proposed again loses access until the approval, which the contracts
 * revert for existing voters: the item would block all others permanently (docs/adr/0066).
 */
export function notYetAdmin(orgId: string, account: Address, roleId: string): Check {
  return ({ records, policy }) => {
    const entry = records.account(account);
    const isOneAlready = entry?.orgId === orgId && entry.isOrgAdmin;
    const isEnough = roleId === policy.orgAdminRole || entry?.roleId === roleId;
    return unless(!isOneAlready || !isEnough, 'ACCOUNT_ALREADY_ORG_ADMIN');
  };
}

/** An admin that was voted for is neither suspended nor denylisted. */
export function notAgainstAdmin(account: Address, action: number): Check {
  return ({ records, policy }) => {
    const entry = records.account(account);
    const isVotedAdmin = entry !== undefined && entry.isOrgAdmin && isAdminRole(policy, entry.roleId);
    return unless(!isVotedAdmin || (action !== 1 && action !== 3), 'OPERATION_NOT_ALLOWED');
  };
}

/** It is not denylisted, and a status change leads from its status. */
export function accountMayChange(account: Address, action: number): Check {
  return ({ records }) => {
    const status = records.account(account)?.status;
    if (status === ACCOUNT_STATUS.denylisted) return 'ACCOUNT_DENYLISTED';
    return unless(isStep(status, action), 'OPERATION_NOT_ALLOWED');
  };
}

/** It has the status; the reason is a separate one when it is denylisted instead. */
export function accountHasStatus(
  account: Address,
  wanted: number,
  whenDenylisted: ActionRejection = 'OPERATION_NOT_ALLOWED',
): Check {
  return ({ records }) => {
    const status = records.account(account)?.status;
    if (status === wanted) return undefined;
    return status === ACCOUNT_STATUS.denylisted ? whenDenylisted : 'OPERATION_NOT_ALLOWED';
  };
}

function isStep(status: number | undefined, action: number): boolean {
  switch (action) {
    case 1:
      return status === ACCOUNT_STATUS.active;
    case 2:
      return status === ACCOUNT_STATUS.suspended;
    case 3:
      return status !== ACCOUNT_STATUS.recovering;
    default:
      return false;
  }
}
