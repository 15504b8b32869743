import type { Address } from '@tetrad/types';
import type { PermissionModel } from './permission-abi.js';
import type { PermissionAddresses } from './deploy-permissions.js';

export interface PermissionPolicy {
  readonly model: PermissionModel;
  readonly networkAdminOrg: string;
  readonly networkAdminRole: string;
  readonly orgAdminRole: string;
  /** The first network admins. */
  readonly accounts: readonly Address[];
  /** Maximum level of a sub-org; a master org has level 1. */
  readonly subOrgDepth: number;
  /** Maximum number of direct children of an org. */
  readonly subOrgBreadth: number;
}

/** `permission-config.json` in the data folder of every node, with the keys that GoQuorum reads, one of which lacks a letter. */
export function permissionConfigText(policy: PermissionPolicy, addresses: PermissionAddresses): string {
  const config = {
    permissionModel: policy.model,
    upgrdableAddress: addresses.upgradable,
    interfaceAddress: addresses.interface,
    implAddress: addresses.implementation,
    nodeMgrAddress: addresses.nodeManager,
    accountMgrAddress: addresses.accountManager,
    roleMgrAddress: addresses.roleManager,
    voterMgrAddress: addresses.voterManager,
    orgMgrAddress: addresses.orgManager,
    nwAdminOrg: policy.networkAdminOrg,
    nwAdminRole: policy.networkAdminRole,
    orgAdminRole: policy.orgAdminRole,
    accounts: policy.accounts,
    subOrgDepth: policy.subOrgDepth,
    subOrgBreadth: policy.subOrgBreadth,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
