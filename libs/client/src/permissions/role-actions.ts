import type { Client } from 'viem';
import type { AccountParameter } from '../private/sending-account.js';
import { act } from './admin-action.js';

/** What the accounts of a role may do under the second permission model; the first one has 0 to 3. */
export const roleAccess = {
  nothing: 0,
  transfers: 1,
  deployments: 2,
  everything: 3,
  calls: 4,
  transfersAndCalls: 5,
  transfersAndDeployments: 6,
  callsAndDeployments: 7,
} as const;

export type AddNewRoleParameters = AccountParameter & {
  readonly orgId: string;
  readonly roleId: string;
  readonly access: keyof typeof roleAccess;
  /** Whether its accounts vote; for roles of network admins. */
  readonly isVoter?: boolean | undefined;
  /** Whether its accounts are admins of the organization. */
  readonly isAdminRole?: boolean | undefined;
};

/** Creates a role of an organization, by its admin. */
export function addNewRole(client: Client, parameters: AddNewRoleParameters): Promise<void> {
  const { orgId, roleId, access, isVoter = false, isAdminRole = false } = parameters;
  const number = roleAccess[access];
  return act(client, 'chainPermission_addNewRole', parameters, orgId, roleId, number, isVoter, isAdminRole);
}

export type RemoveRoleParameters = AccountParameter & { readonly orgId: string; readonly roleId: string };

/** Removes a role of an organization, by its admin. */
export function removeRole(client: Client, parameters: RemoveRoleParameters): Promise<void> {
  return act(client, 'chainPermission_removeRole', parameters, parameters.orgId, parameters.roleId);
}
