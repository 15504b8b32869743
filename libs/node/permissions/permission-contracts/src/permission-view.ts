import { parseAddress, type Address, type Hex } from '@tetrad/types';
import type { Result } from 'ethers/abi';
import { getNumber } from 'ethers/utils';
import { decodeResult, encodeCall } from './contract-coding.js';
import { permissionAbi, type PermissionContract, type PermissionModel } from './permission-abi.js';

export interface OrgEntry {
  /** The last part of the full id. */
  readonly orgId: string;
  /** Parts with dots between, from the master org down. */
  readonly fullOrgId: string;
  /** Full id; empty for a master org. */
  readonly parentOrgId: string;
  readonly ultimateParent: string;
  /** 1 for a master org. */
  readonly level: number;
  readonly status: number;
}

export interface RoleEntry {
  readonly roleId: string;
  readonly orgId: string;
  /** 0 to 3 in v1, 0 to 7 in v2. */
  readonly access: number;
  readonly isVoter: boolean;
  readonly isAdmin: boolean;
  readonly active: boolean;
}

export interface AccountEntry {
  readonly account: Address;
  readonly orgId: string;
  readonly roleId: string;
  readonly status: number;
  readonly isOrgAdmin: boolean;
}

/** A node in the contract: v1 stores the URL as `enodeId`, and no other part. */
export interface NodeEntry {
  readonly orgId: string;
  readonly enodeId: string;
  readonly ip: string;
  readonly port: number;
  readonly raftPort: number;
  readonly status: number;
}

export interface PendingOperation {
  readonly orgId: string;
  readonly enodeId: string;
  readonly account: Address;
  /** 0 when nothing is pending. */
  readonly operation: number;
}

/** A view of one of the contracts, to be called by `eth_call` or inside a node. */
export interface PermissionView<Parameters extends readonly unknown[], Value> {
  readonly contract: PermissionContract;
  encode(...parameters: Parameters): Hex;
  /**
   * Decodes return data.
   * @throws Error when it is invalid, as from an account without code
   */
  decode(data: Hex): Value;
}

/** Views of both models. */
export interface PermissionViews {
  readonly networkBootStatus: PermissionView<[], boolean>;
  readonly pendingOperation: PermissionView<[networkAdminOrg: string], PendingOperation>;
  readonly numberOfOrgs: PermissionView<[], number>;
  readonly orgAt: PermissionView<[index: number], OrgEntry>;
  /** Reverts for an unknown org, or one with status 0. */
  readonly orgNamed: PermissionView<[fullOrgId: string], OrgEntry>;
  /** Positions of the direct children; reverts for an unknown org. */
  readonly subOrgIndexes: PermissionView<[fullOrgId: string], readonly number[]>;
  readonly numberOfRoles: PermissionView<[], number>;
  readonly roleAt: PermissionView<[index: number], RoleEntry>;
  /** An unknown role is not active. */
  readonly roleNamed: PermissionView<[roleId: string, fullOrgId: string], RoleEntry>;
  readonly numberOfAccounts: PermissionView<[], number>;
  readonly accountAt: PermissionView<[index: number], AccountEntry>;
  /** An unknown account has status 0. */
  readonly accountNamed: PermissionView<[account: Address], AccountEntry>;
  readonly numberOfNodes: PermissionView<[], number>;
  readonly nodeAt: PermissionView<[index: number], NodeEntry>;
  /** The implementation that the interface calls, and that the upgradable contract names. */
  readonly implementation: PermissionView<[], Address>;
  readonly currentImplementation: PermissionView<[], Address>;
  /** Names of the network admins' organization and roles. */
  readonly policy: PermissionView<[], readonly string[]>;
}

export interface PermissionDecisions {
  readonly transactionAllowed: PermissionView<
    [
      sender: Address,
      target: Address,
      value: bigint,
      gasPrice: bigint,
      gasLimit: bigint,
      payload: Uint8Array,
    ],
    boolean
  >;
  readonly connectionAllowed: PermissionView<[enodeId: string, ip: string, port: number], boolean>;
}

/**
 * Entries are read by their positions, from 0: `getNodeDetails` of GoQuorum's contracts does not find nodes, and
 * `getRoleDetails` does not find removed roles.
 */
export function permissionViews(model: PermissionModel): PermissionViews {
  return VIEWS[model];
}

/** Views by which v2 decides on transactions and connections. */
export const permissionDecisions: PermissionDecisions = {
  transactionAllowed: view('v2', 'interface', 'transactionAllowed', ([allowed]) => allowed === true),
  connectionAllowed: view('v2', 'interface', 'connectionAllowed', ([allowed]) => allowed === true),
};

function view<Parameters extends readonly unknown[], Value>(
  model: PermissionModel,
  contract: PermissionContract,
  name: string,
  read: (values: Result) => Value,
): PermissionView<Parameters, Value> {
  return {
    contract,
    encode: (...parameters) => encodeCall(permissionAbi(model, contract), name, parameters),
    decode: (data) => read(decodeResult(permissionAbi(model, contract), name, data)),
  };
}

const count = ([value]: Result) => getNumber(value);

const viewsOf = (model: PermissionModel): PermissionViews => ({
  networkBootStatus: view(model, 'interface', 'getNetworkBootStatus', ([status]) => status === true),
  pendingOperation: view(model, 'interface', 'getPendingOp', ([orgId, enodeId, account, operation]) => ({
    orgId,
    enodeId,
    account: parseAddress(account),
    operation: getNumber(operation),
  })),
  numberOfOrgs: view(model, 'orgManager', 'getNumberOfOrgs', count),
  orgAt: view(model, 'orgManager', 'getOrgInfo', readOrg),
  orgNamed: view(model, 'orgManager', 'getOrgDetails', readOrg),
  subOrgIndexes: view(model, 'orgManager', 'getSubOrgIndexes', ([indexes]) =>
    [...indexes].map((index) => getNumber(index)),
  ),
  numberOfRoles: view(model, 'roleManager', 'getNumberOfRoles', count),
  roleAt: view(model, 'roleManager', 'getRoleDetailsFromIndex', readRole),
  roleNamed: view(model, 'roleManager', 'getRoleDetails', readRole),
  numberOfAccounts: view(model, 'accountManager', 'getNumberOfAccounts', count),
  accountAt: view(model, 'accountManager', 'getAccountDetailsFromIndex', readAccount),
  accountNamed: view(model, 'accountManager', 'getAccountDetails', readAccount),
  numberOfNodes: view(model, 'nodeManager', 'getNumberOfNodes', count),
  nodeAt: view(model, 'nodeManager', 'getNodeDetailsFromIndex', model === 'v1' ? readNodeV1 : readNodeV2),
  implementation: view(model, 'interface', 'getPermissionsImpl', ([address]) => parseAddress(address)),
  currentImplementation: view(model, 'upgradable', 'getPermImpl', ([address]) => parseAddress(address)),
  policy: view(model, 'implementation', 'getPolicyDetails', ([org, adminRole, orgAdminRole]) => [
    String(org),
    String(adminRole),
    String(orgAdminRole),
  ]),
});

/** @param options - the values of an org that events and views have in common, without its status */
export function orgIdentity([orgId, parentOrgId, ultimateParent, level]: Result): Omit<OrgEntry, 'status'> {
  const depth = getNumber(level);
  // By the level, since an org with an empty id may be a parent as well.
  const fullOrgId = depth > 1 ? `${parentOrgId}.${orgId}` : orgId;
  return { orgId, fullOrgId, parentOrgId, ultimateParent, level: depth };
}

function readOrg(values: Result): OrgEntry {
  return { ...orgIdentity(values), status: getNumber(values[4]) };
}

function readRole([roleId, orgId, access, isVoter, isAdmin, active]: Result): RoleEntry {
  return { roleId, orgId, access: getNumber(access), isVoter, isAdmin, active };
}

function readAccount([account, orgId, roleId, status, isOrgAdmin]: Result): AccountEntry {
  return { account: parseAddress(account), orgId, roleId, status: getNumber(status), isOrgAdmin };
}

function readNodeV1([orgId, enodeId, status]: Result): NodeEntry {
  return { orgId, enodeId, ip: '', port: 0, raftPort: 0, status: getNumber(status) };
}

function readNodeV2([orgId, enodeId, ip, port, raftPort, status]: Result): NodeEntry {
  return {
    orgId,
    enodeId,
    ip,
    port: getNumber(port),
    raftPort: getNumber(raftPort),
    status: getNumber(status),
  };
}

const VIEWS: Readonly<Record<PermissionModel, PermissionViews>> = { v1: viewsOf('v1'), v2: viewsOf('v2') };
