import { RequestError } from '@tetrad/types';

/**
 * Texts for rejected actions, as in GoQuorum (permission/core/types/backend.go and permission/api.go), trailing dots
 * included; ORG_SHARE_REACHED is ours, since GoQuorum has no such bound.
 */
const TEXTS = {
  INVALID_INPUT: 'Invalid input',
  INVALID_ACCOUNT: 'Invalid account id',
  NOT_NETWORK_ADMIN: 'Operation can be performed by network admin only. Account not a network admin.',
  NOT_ORG_ADMIN: 'Operation can be performed by org admin only. Account not a org admin.',
  OPERATION_NOT_ALLOWED: 'Operation not allowed',
  PENDING_APPROVALS: 'Pending approvals for the organization. Approve first',
  NOTHING_TO_APPROVE: 'Nothing to approve',
  ORG_EXISTS: 'Org already exist',
  ORG_NOT_FOUND: 'Org does not exist',
  INVALID_ORG_NAME: 'Org id cannot contain special characters',
  NOT_A_MASTER_ORG: 'Org is not a master org',
  MAX_DEPTH_REACHED: 'Max depth for sub orgs reached',
  MAX_BREADTH_REACHED: 'Max breadth for sub orgs reached',
  ORG_SHARE_REACHED: 'Org and its sub orgs have as many entries of this kind as one org may have',
  INVALID_NODE: 'Invalid enode id',
  NODE_ALREADY_PRESENT: 'EnodeId already part of network.',
  NODE_NOT_FOUND: 'Node does not exist',
  NODE_ORG_MISMATCH: 'Enode id passed does not belong to the organization.',
  NODE_DENYLISTED: 'Blacklisted node. Operation not allowed',
  HOST_NAME_NOT_SUPPORTED: 'Hostname not supported in the network',
  ACCOUNT_IN_USE: 'Account already in use in another organization',
  ACCOUNT_NOT_FOUND: 'Account does not exist',
  ACCOUNT_ORG_MISMATCH: 'Account does not belong to this org',
  ACCOUNT_DENYLISTED: 'Blacklisted account. Operation not allowed',
  ACCOUNT_ALREADY_ORG_ADMIN: 'Account already org admin for the org',
  INVALID_ROLE: 'Invalid role',
  ROLE_EXISTS: 'Role exist for the org',
  ROLE_INACTIVE: 'Role is already inactive',
  ROLE_HAS_ACCOUNTS: 'Accounts linked to the role. Cannot be removed',
  ADMIN_ROLE_NOT_REMOVABLE: 'Admin role cannot be removed',
  INVALID_ACCESS_TYPE: 'failed to execute permissions action: invalid access type given',
} as const;

export type ActionRejection = keyof typeof TEXTS;

/** The rejection with its exact text. */
export function actionRejection(reason: ActionRejection): RequestError {
  return new RequestError(reason, TEXTS[reason]);
}

/** The error of an action that could not be sent, with its cause. */
export function actionFailure(cause: string): RequestError {
  return new RequestError('PERMISSION_ACTION_FAILED', `failed to execute permissions action: ${cause}`);
}
