import type { Address, Hex } from '@tetrad/types';
import { encodeCall } from './contract-coding.js';
import { permissionAbi, type PermissionModel } from './permission-abi.js';

/** A node with the identifiers of both models. */
export interface PermissionNode {
  /** Stored by v1 as submitted; v2 derives it from the other members. */
  readonly url: string;
  /** 128 hex digits without a prefix. */
  readonly enodeId: string;
  /** Address or host name. */
  readonly ip: string;
  readonly port: number;
  /** 0 without raft. */
  readonly raftPort: number;
}

/** For a sub-org without a node. */
export const NO_NODE: PermissionNode = { url: '', enodeId: '', ip: '', port: 0, raftPort: 0 };

/** A transaction to the interface contract, whose sender must have the right to the operation. */
export type PermissionOperation =
  | {
      readonly name: 'setPolicy';
      readonly networkAdminOrg: string;
      readonly networkAdminRole: string;
      readonly orgAdminRole: string;
    }
  | { readonly name: 'init'; readonly breadth: number; readonly depth: number }
  | { readonly name: 'addAdminNode'; readonly node: PermissionNode }
  | { readonly name: 'addAdminAccount'; readonly account: Address }
  | { readonly name: 'updateNetworkBootStatus' }
  | {
      readonly name: 'addOrg' | 'approveOrg';
      readonly orgId: string;
      readonly node: PermissionNode;
      readonly account: Address;
    }
  | {
      readonly name: 'addSubOrg';
      readonly parentOrgId: string;
      readonly orgId: string;
      readonly node: PermissionNode;
    }
  | { readonly name: 'updateOrgStatus' | 'approveOrgStatus'; readonly orgId: string; readonly action: number }
  | {
      readonly name: 'addNewRole';
      readonly roleId: string;
      readonly orgId: string;
      readonly access: number;
      readonly isVoter: boolean;
      readonly isAdmin: boolean;
    }
  | { readonly name: 'removeRole'; readonly roleId: string; readonly orgId: string }
  | {
      readonly name: 'assignAdminRole' | 'assignAccountRole';
      readonly orgId: string;
      readonly account: Address;
      readonly roleId: string;
    }
  | {
      readonly name:
        'approveAdminRole' | 'startBlacklistedAccountRecovery' | 'approveBlacklistedAccountRecovery';
      readonly orgId: string;
      readonly account: Address;
    }
  | {
      readonly name: 'updateAccountStatus';
      readonly orgId: string;
      readonly account: Address;
      readonly action: number;
    }
  | {
      readonly name: 'addNode' | 'startBlacklistedNodeRecovery' | 'approveBlacklistedNodeRecovery';
      readonly orgId: string;
      readonly node: PermissionNode;
    }
  | {
      readonly name: 'updateNodeStatus';
      readonly orgId: string;
      readonly node: PermissionNode;
      readonly action: number;
    };

/**
 * Data of the transaction to the interface contract.
 * @throws TypeError for a number out of range of its ABI type, and for a text that the contracts cannot hold
 */
export function encodeOperation(model: PermissionModel, operation: PermissionOperation): Hex {
  const abi = permissionAbi(model, 'interface');
  return encodeCall(abi, operation.name, argumentsOf(model, operation));
}

/** Picks arguments by name, since the object may have other members. */
function argumentsOf(model: PermissionModel, operation: PermissionOperation): readonly unknown[] {
  switch (operation.name) {
    case 'setPolicy':
      return [operation.networkAdminOrg, operation.networkAdminRole, operation.orgAdminRole];
    case 'init':
      return [operation.breadth, operation.depth];
    case 'addAdminNode':
      return nodeArguments(model, operation.node);
    case 'addAdminAccount':
      return [operation.account];
    case 'updateNetworkBootStatus':
      return [];
    case 'addNewRole': {
      const { roleId, orgId, access, isVoter, isAdmin } = operation;
      return [roleId, orgId, access, isVoter, isAdmin];
    }
    case 'removeRole':
      return [operation.roleId, operation.orgId];
    default:
      return argumentsInOrg(model, operation);
  }
}

type OperationInOrg = Exclude<
  PermissionOperation,
  {
    name:
      | 'setPolicy'
      | 'init'
      | 'addAdminNode'
      | 'addAdminAccount'
      | 'updateNetworkBootStatus'
      | 'addNewRole'
      | 'removeRole';
  }
>;

function argumentsInOrg(model: PermissionModel, operation: OperationInOrg): readonly unknown[] {
  switch (operation.name) {
    case 'addOrg':
    case 'approveOrg':
      return [operation.orgId, ...nodeArguments(model, operation.node), operation.account];
    case 'addSubOrg':
      return [operation.parentOrgId, operation.orgId, ...nodeArguments(model, operation.node)];
    case 'updateOrgStatus':
    case 'approveOrgStatus':
      return [operation.orgId, operation.action];
    case 'assignAdminRole':
      return [operation.orgId, operation.account, operation.roleId];
    case 'assignAccountRole':
      return [operation.account, operation.orgId, operation.roleId];
    case 'updateAccountStatus':
      return [operation.orgId, operation.account, operation.action];
    case 'updateNodeStatus':
      return [operation.orgId, ...nodeArguments(model, operation.node), operation.action];
    case 'addNode':
    case 'startBlacklistedNodeRecovery':
    case 'approveBlacklistedNodeRecovery':
      return [operation.orgId, ...nodeArguments(model, operation.node)];
    default:
      return [operation.orgId, operation.account];
  }
}

function nodeArguments(model: PermissionModel, node: PermissionNode): readonly unknown[] {
  return model === 'v1' ? [node.url] : [node.enodeId, node.ip, node.port, node.raftPort];
}
