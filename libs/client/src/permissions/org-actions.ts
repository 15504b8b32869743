import type { Address, Client } from 'viem';
import type { AccountParameter } from '../private/sending-account.js';
import { STATUS_ACTIONS, act } from './admin-action.js';

export type AddOrgParameters = AccountParameter & {
  readonly orgId: string;
  /** Enode URL of its first node. */
  readonly enodeId: string;
  /** Account that becomes the organization's admin. */
  readonly accountId: Address;
};

/** Proposes an organization, by a network admin. */
export function addOrg(client: Client, parameters: AddOrgParameters): Promise<void> {
  const { orgId, enodeId, accountId } = parameters;
  return act(client, 'chainPermission_addOrg', parameters, orgId, enodeId, accountId);
}

/** Votes for a proposed organization, by a network admin. */
export function approveOrg(client: Client, parameters: AddOrgParameters): Promise<void> {
  const { orgId, enodeId, accountId } = parameters;
  return act(client, 'chainPermission_approveOrg', parameters, orgId, enodeId, accountId);
}

export type AddSubOrgParameters = AccountParameter & {
  /** Full id. */
  readonly parentOrgId: string;
  readonly subOrgId: string;
  /** Enode URL of its node; it has that of the parent without it. */
  readonly enodeId?: string | undefined;
};

/** Adds a sub-organization, by an admin of the organization. */
export function addSubOrg(client: Client, parameters: AddSubOrgParameters): Promise<void> {
  const { parentOrgId, subOrgId, enodeId = '' } = parameters;
  return act(client, 'chainPermission_addSubOrg', parameters, parentOrgId, subOrgId, enodeId);
}

export type UpdateOrgStatusParameters = AccountParameter & {
  readonly orgId: string;
  readonly action: 'suspend' | 'activate';
};

/** Proposes to suspend an organization or to end its suspension, by a network admin. */
export function updateOrgStatus(client: Client, parameters: UpdateOrgStatusParameters): Promise<void> {
  const { orgId, action } = parameters;
  return act(client, 'chainPermission_updateOrgStatus', parameters, orgId, STATUS_ACTIONS[action]);
}

/** Votes for the suspension of an organization or for its end, by a network admin. */
export function approveOrgStatus(client: Client, parameters: UpdateOrgStatusParameters): Promise<void> {
  const { orgId, action } = parameters;
  return act(client, 'chainPermission_approveOrgStatus', parameters, orgId, STATUS_ACTIONS[action]);
}
