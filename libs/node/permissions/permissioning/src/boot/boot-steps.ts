import type { PermissionOperation } from '@tetrad/node-permission-contracts';
import type { PermissionConfig } from '../config/permission-config.js';
import { contractNodeUrl, type ContractNode } from '../records/node-url.js';
import type { PermissionRecords } from '../records/permission-records.js';

/** Input for setting up a network. */
export interface BootPlan {
  readonly config: PermissionConfig;
  /** The nodes of the network's admins, this one among them. */
  readonly nodes: readonly ContractNode[];
  readonly isRaft: boolean;
}

/**
 * The operations that are still missing before permissions are in force, in the order that the contracts require
 * (docs/spec/permissions.md#setting-up). Empty once the network is set up; operations that another node sent are not repeated.
 */
export function missingSteps(
  records: PermissionRecords,
  { config, nodes, isRaft }: BootPlan,
): readonly PermissionOperation[] {
  if (records.networkBoot) return [];
  const { networkAdminOrg, networkAdminRole, orgAdminRole } = config;
  const isAdminOrgThere = records.role(networkAdminOrg, networkAdminRole) !== undefined;
  const policy = { networkAdminOrg, networkAdminRole, orgAdminRole };
  const { subOrgBreadth: breadth, subOrgDepth: depth } = config;
  return [
    ...(isAdminOrgThere
      ? []
      : ([
          { name: 'setPolicy', ...policy },
          { name: 'init', breadth, depth },
        ] as const)),
    ...nodes
      .filter(({ enodeId }) => records.nodesNamed(enodeId).length === 0)
      .map(
        (node) => ({ name: 'addAdminNode', node: { ...node, url: contractNodeUrl(node, isRaft) } }) as const,
      ),
    ...config.accounts
      .filter((account) => records.account(account) === undefined)
      .map((account) => ({ name: 'addAdminAccount', account }) as const),
    { name: 'updateNetworkBootStatus' },
  ];
}
