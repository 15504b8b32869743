import type {
  PermissionAccountView,
  PermissionNodeView,
  PermissionOrgDetailsView,
  PermissionOrgView,
  PermissionRoleView,
  SendRequest,
  chainPermissionQueryMethods,
} from '@tetrad/api-node';
import {
  actionRejection,
  isConnectionAllowed,
  isTransactionAllowed,
  type OrgDetails,
  type OrgEntry,
} from '@tetrad/node-permissioning';
import { gasPriceOf } from '@tetrad/node-transactions';
import type { Handlers } from '@tetrad/rpc';
import { ZERO_ADDRESS } from '@tetrad/types';
import { permissionedState, type PermissionParts } from './permission-parts.js';

/** Reads of the permission records at the head, and of permissions (docs/spec/permissions.md#actions and #records). */
export function permissionReadHandlers(parts: PermissionParts): Handlers<typeof chainPermissionQueryMethods> {
  const state = () => permissionedState(parts);
  return {
    chainPermission_acctList: (): PermissionAccountView[] => [...state().records.accounts()],
    chainPermission_nodeList: (): PermissionNodeView[] => [...state().records.nodes()],
    chainPermission_orgList: () => state().records.orgs().map(viewOrg),
    chainPermission_roleList: (): PermissionRoleView[] => [...state().records.roles()],
    chainPermission_getOrgDetails([orgId]) {
      const details = state().records.detailsOf(orgId);
      if (details === undefined) throw actionRejection('ORG_NOT_FOUND');
      return viewDetails(details);
    },
    chainPermission_connectionAllowed: ([enodeId, ip, port, raftPort = 0]) =>
      isConnectionAllowed(state(), { enodeId, ip, port, raftPort }),
    chainPermission_transactionAllowed: ([request]) => isTransactionAllowed(state(), intended(request)),
  };
}

export function viewOrg({ subOrgList, ...org }: OrgEntry): PermissionOrgView {
  return { ...org, subOrgList: subOrgList && [...subOrgList] };
}

function viewDetails({ nodeList, roleList, acctList, subOrgList }: OrgDetails): PermissionOrgDetailsView {
  return {
    nodeList: nodeList && [...nodeList],
    roleList: roleList && [...roleList],
    acctList: acctList && [...acctList],
    subOrgList: subOrgList && [...subOrgList],
  };
}

/** Absent members are zero: for a permission check nothing is filled in. */
function intended(request: SendRequest) {
  const { from = ZERO_ADDRESS, to, value = 0n, gas = 0n, data = new Uint8Array(0) } = request;
  return { sender: from, to, value, gas, data, gasPrice: gasPriceOf(request) };
}
