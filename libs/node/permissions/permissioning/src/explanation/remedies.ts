import {
  ACCOUNT_STATUS,
  NODE_STATUS,
  ORG_STATUS,
  type AccountEntry,
  type NodeEntry,
  type OrgEntry,
} from '../records/entries.js';
import type { PermissionPolicy } from '../records/policy.js';
import { named, quoted } from './names.js';

/** What an admin calls to lift a refusal; methods are named as they are called. */

export function orgRemedy({ fullOrgId, status }: OrgEntry): string {
  if (status === ORG_STATUS.proposed)
    return `a majority of the network admins approves it with chainPermission_approveOrg(${quoted(fullOrgId)}, …)`;
  const vote = `a majority of the network admins approves with chainPermission_approveOrgStatus(${quoted(fullOrgId)}, 2)`;
  return status === ORG_STATUS.reactivating
    ? vote
    : `a network admin calls chainPermission_updateOrgStatus(${quoted(fullOrgId)}, 2), and ${vote}`;
}

export function accountRemedy({ acctId, orgId, roleId, status }: AccountEntry): string {
  switch (status) {
    case ACCOUNT_STATUS.pending:
      return `a majority of the network admins approves with chainPermission_approveAdminRole(${quoted(orgId)}, "${acctId}")`;
    case ACCOUNT_STATUS.suspended:
      return `an admin of ${named(orgId)} calls chainPermission_updateAccountStatus(${quoted(orgId)}, "${acctId}", 2)`;
    case ACCOUNT_STATUS.denylisted:
      return `a network admin calls chainPermission_recoverBlackListedAccount(${quoted(orgId)}, "${acctId}"), and a majority approves with chainPermission_approveBlackListedAccountRecovery`;
    case ACCOUNT_STATUS.recovering:
      return `a majority of the network admins approves with chainPermission_approveBlackListedAccountRecovery(${quoted(orgId)}, "${acctId}")`;
    case ACCOUNT_STATUS.revoked:
      return `a network admin calls chainPermission_assignAdminRole(${quoted(orgId)}, "${acctId}", ${quoted(roleId)}), and a majority approves; or an admin of ${named(orgId)} assigns another role with chainPermission_changeAccountRole`;
    default:
      return `an admin of ${named(orgId)} assigns a role with chainPermission_changeAccountRole("${acctId}", ${quoted(orgId)}, …)`;
  }
}

export function nodeRemedy({ url, orgId, status }: NodeEntry): string {
  switch (status) {
    case NODE_STATUS.proposed:
      return `a majority of the network admins approves ${named(orgId)} with chainPermission_approveOrg`;
    case NODE_STATUS.denylisted:
      return `a network admin calls chainPermission_recoverBlackListedNode(${quoted(orgId)}, ${quoted(url)}), and a majority approves with chainPermission_approveBlackListedNodeRecovery`;
    case NODE_STATUS.recovering:
      return `a majority of the network admins approves with chainPermission_approveBlackListedNodeRecovery(${quoted(orgId)}, ${quoted(url)})`;
    default:
      return `an admin of ${named(orgId)} calls chainPermission_updateNodeStatus(${quoted(orgId)}, ${quoted(url)}, 2)`;
  }
}

/** @param least - the access values that would do, such as "1, 3, 5 or 6" */
export function roleRemedy({ orgId, acctId }: AccountEntry, least: string): string {
  return `an admin of ${named(orgId)} adds a role of access ${least} with chainPermission_addNewRole, and assigns it with chainPermission_changeAccountRole("${acctId}", ${quoted(orgId)}, …)`;
}

export function enrolRemedy(account: string): string {
  return `an admin of an organization calls chainPermission_addAccountToOrg("${account}", …) with a role of that organization`;
}

export function adminRemedy({ networkAdminRole, orgAdminRole }: PermissionPolicy): string {
  return `an account with the role ${named(networkAdminRole)} or ${named(orgAdminRole)}, or with an admin role of its organization, does it`;
}
