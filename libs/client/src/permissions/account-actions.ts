import type { Address, Client } from 'viem';
import type { AccountParameter } from '../private/sending-account.js';
import { STATUS_ACTIONS, act } from './admin-action.js';

export type AccountRoleParameters = AccountParameter & {
  readonly acctId: Address;
  readonly orgId: string;
  readonly roleId: string;
};

/** Gives an account a role in an organization, by its admin. */
export function addAccountToOrg(client: Client, parameters: AccountRoleParameters): Promise<void> {
  const { acctId, orgId, roleId } = parameters;
  return act(client, 'chainPermission_addAccountToOrg', parameters, acctId, orgId, roleId);
}

/** Gives an account of an organization another role, by its admin. */
export function changeAccountRole(client: Client, parameters: AccountRoleParameters): Promise<void> {
  const { acctId, orgId, roleId } = parameters;
  return act(client, 'chainPermission_changeAccountRole', parameters, acctId, orgId, roleId);
}

/** Proposes an account for an admin role, by a network admin. */
export function assignAdminRole(client: Client, parameters: AccountRoleParameters): Promise<void> {
  const { orgId, acctId, roleId } = parameters;
  return act(client, 'chainPermission_assignAdminRole', parameters, orgId, acctId, roleId);
}

export type AccountOfOrgParameters = AccountParameter & {
  readonly orgId: string;
  readonly acctId: Address;
};

/** Votes for an account in an admin role, by a network admin. */
export function approveAdminRole(client: Client, parameters: AccountOfOrgParameters): Promise<void> {
  return act(client, 'chainPermission_approveAdminRole', parameters, parameters.orgId, parameters.acctId);
}

export type UpdateAccountStatusParameters = AccountOfOrgParameters & {
  readonly action: keyof typeof STATUS_ACTIONS;
};

/** Suspends, activates or denylists an account, by an admin of its organization. */
export function updateAccountStatus(
  client: Client,
  parameters: UpdateAccountStatusParameters,
): Promise<void> {
  const { orgId, acctId, action } = parameters;
  return act(
    client,
    'chainPermission_updateAccountStatus',
    parameters,
    orgId,
    acctId,
    STATUS_ACTIONS[action],
  );
}

/** Proposes that a denylisted account comes back, by a network admin. */
export function recoverBlackListedAccount(client: Client, parameters: AccountOfOrgParameters): Promise<void> {
  const { orgId, acctId } = parameters;
  return act(client, 'chainPermission_recoverBlackListedAccount', parameters, orgId, acctId);
}

/** Votes that a denylisted account comes back, by a network admin. */
export function approveBlackListedAccountRecovery(
  client: Client,
  parameters: AccountOfOrgParameters,
): Promise<void> {
  const { orgId, acctId } = parameters;
  return act(client, 'chainPermission_approveBlackListedAccountRecovery', parameters, orgId, acctId);
}
