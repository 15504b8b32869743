import {
  ACTION_COMPLETED,
  type TransactionArguments,
  type chainPermissionWriteMethods,
} from '@tetrad/api-node';
import {
  addNode,
  addOrg,
  addRole,
  addSubOrg,
  approveAccountRecovery,
  approveAdminRole,
  approveNodeRecovery,
  approveOrg,
  approveOrgStatus,
  assignAdminRole,
  assignRole,
  pendingItemAtHead,
  performAction,
  recoverAccount,
  recoverNode,
  removeRole,
  updateAccountStatus,
  updateNodeStatus,
  updateOrgStatus,
  type PermissionAction,
} from '@tetrad/node-permissioning';
import type { Handlers } from '@tetrad/rpc';
import { permissionedState, type PermissionParts } from './permission-parts.js';

/** Actions of admins, each a transaction of the caller to the permission contracts (docs/spec/permissions.md#actions). */
export function permissionWriteHandlers(
  parts: PermissionParts,
): Handlers<typeof chainPermissionWriteMethods> {
  const perform = (args: TransactionArguments, action: PermissionAction) => act(parts, args, action);
  return {
    chainPermission_addOrg: ([orgId, url, account, args]) =>
      perform(args, addOrg(args.from, { orgId, url, account })),
    chainPermission_approveOrg: ([orgId, url, account, args]) =>
      perform(args, approveOrg(args.from, { orgId, url, account })),
    chainPermission_addSubOrg: ([parentOrgId, orgId, url, args]) =>
      perform(args, addSubOrg(args.from, { parentOrgId, orgId, url })),
    chainPermission_updateOrgStatus: ([orgId, action, args]) =>
      perform(args, updateOrgStatus(args.from, { orgId, action })),
    chainPermission_approveOrgStatus: ([orgId, action, args]) =>
      perform(args, approveOrgStatus(args.from, { orgId, action })),
    chainPermission_addNode: ([orgId, url, args]) => perform(args, addNode(args.from, { orgId, url })),
    chainPermission_updateNodeStatus: ([orgId, url, action, args]) =>
      perform(args, updateNodeStatus(args.from, { orgId, url, action })),
    chainPermission_recoverBlackListedNode: ([orgId, url, args]) =>
      perform(args, recoverNode(args.from, { orgId, url })),
    chainPermission_approveBlackListedNodeRecovery: ([orgId, url, args]) =>
      perform(args, approveNodeRecovery(args.from, { orgId, url })),
    chainPermission_addNewRole: ([orgId, roleId, access, isVoter, isAdmin, args]) =>
      perform(args, addRole(args.from, { orgId, roleId, access, isVoter, isAdmin })),
    chainPermission_removeRole: ([orgId, roleId, args]) =>
      perform(args, removeRole(args.from, { orgId, roleId })),
    chainPermission_addAccountToOrg: ([account, orgId, roleId, args]) =>
      perform(args, assignRole(args.from, { orgId, account, roleId })),
    chainPermission_changeAccountRole: ([account, orgId, roleId, args]) =>
      perform(args, assignRole(args.from, { orgId, account, roleId })),
    chainPermission_assignAdminRole: ([orgId, account, roleId, args]) =>
      perform(args, assignAdminRole(args.from, { orgId, account, roleId })),
    chainPermission_approveAdminRole: ([orgId, account, args]) =>
      perform(args, approveAdminRole(args.from, { orgId, account })),
    chainPermission_updateAccountStatus: ([orgId, account, action, args]) =>
      perform(args, updateAccountStatus(args.from, { orgId, account, action })),
    chainPermission_recoverBlackListedAccount: ([orgId, account, args]) =>
      perform(args, recoverAccount(args.from, { orgId, account })),
    chainPermission_approveBlackListedAccountRecovery: ([orgId, account, args]) =>
      perform(args, approveAccountRecovery(args.from, { orgId, account })),
  };
}

async function act(
  parts: PermissionParts,
  args: TransactionArguments,
  action: PermissionAction,
): Promise<string> {
  const state = permissionedState(parts);
  const { config, records, isRaft } = state;
  await performAction(
    {
      records,
      policy: config,
      naming: { model: config.model, isRaft, raftHostNames: false },
      pendingItem: () => pendingItemAtHead(state),
      interfaceAddress: config.addresses.interface,
      sender: parts.sender,
    },
    args,
    action,
  );
  return ACTION_COMPLETED;
}
