import type { Client } from 'viem';
import * as accounts from './account-actions.js';
import * as nodes from './node-actions.js';
import * as orgs from './org-actions.js';
import * as questions from './questions.js';
import * as records from './records.js';
import { addNewRole, removeRole } from './role-actions.js';

type Lists = 'acctList' | 'getOrgDetails' | 'nodeList' | 'orgList' | 'roleList';
type Actions = typeof accounts &
  typeof nodes &
  typeof orgs &
  typeof questions &
  Pick<typeof records, Lists> & {
    readonly addNewRole: typeof addNewRole;
    readonly removeRole: typeof removeRole;
  };

/** The actions by the names that the methods `chainPermission_*` have. */
export type PermissionActions = {
  readonly [Name in keyof Actions]: Actions[Name] extends (
    client: Client,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Permissions of the network: `client.extend(permissionActions())`. */
export function permissionActions(): (client: Client) => PermissionActions {
  return (client) => ({
    acctList: () => records.acctList(client),
    addAccountToOrg: (parameters) => accounts.addAccountToOrg(client, parameters),
    addNewRole: (parameters) => addNewRole(client, parameters),
    addNode: (parameters) => nodes.addNode(client, parameters),
    addOrg: (parameters) => orgs.addOrg(client, parameters),
    addSubOrg: (parameters) => orgs.addSubOrg(client, parameters),
    approveAdminRole: (parameters) => accounts.approveAdminRole(client, parameters),
    approveBlackListedAccountRecovery: (parameters) =>
      accounts.approveBlackListedAccountRecovery(client, parameters),
    approveBlackListedNodeRecovery: (parameters) => nodes.approveBlackListedNodeRecovery(client, parameters),
    approveOrg: (parameters) => orgs.approveOrg(client, parameters),
    approveOrgStatus: (parameters) => orgs.approveOrgStatus(client, parameters),
    assignAdminRole: (parameters) => accounts.assignAdminRole(client, parameters),
    changeAccountRole: (parameters) => accounts.changeAccountRole(client, parameters),
    connectionAllowed: (parameters) => questions.connectionAllowed(client, parameters),
    explain: (parameters) => questions.explain(client, parameters),
    getOrgDetails: (parameters) => records.getOrgDetails(client, parameters),
    nodeList: () => records.nodeList(client),
    orgList: () => records.orgList(client),
    previewChange: (parameters) => questions.previewChange(client, parameters),
    recoverBlackListedAccount: (parameters) => accounts.recoverBlackListedAccount(client, parameters),
    recoverBlackListedNode: (parameters) => nodes.recoverBlackListedNode(client, parameters),
    removeRole: (parameters) => removeRole(client, parameters),
    roleList: () => records.roleList(client),
    transactionAllowed: (parameters) => questions.transactionAllowed(client, parameters),
    updateAccountStatus: (parameters) => accounts.updateAccountStatus(client, parameters),
    updateNodeStatus: (parameters) => nodes.updateNodeStatus(client, parameters),
    updateOrgStatus: (parameters) => orgs.updateOrgStatus(client, parameters),
  });
}
