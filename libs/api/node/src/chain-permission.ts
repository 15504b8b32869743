import { chainPermissionAccountMethods } from './chain-permission/accounts.js';
import { chainPermissionExplanationMethods } from './chain-permission/explanations.js';
import { chainPermissionNodeMethods } from './chain-permission/nodes.js';
import { chainPermissionOrgMethods } from './chain-permission/orgs.js';
import { chainPermissionQueryMethods } from './chain-permission/queries.js';
import { chainPermissionRoleMethods } from './chain-permission/roles.js';

/** Actions of admins. */
export const chainPermissionWriteMethods = {
  ...chainPermissionOrgMethods,
  ...chainPermissionAccountMethods,
  ...chainPermissionNodeMethods,
  ...chainPermissionRoleMethods,
};

/** Organizations, roles, accounts and nodes of a permissioned network. */
export const chainPermissionMethods = {
  ...chainPermissionQueryMethods,
  ...chainPermissionWriteMethods,
};

export { chainPermissionExplanationMethods, chainPermissionQueryMethods };
