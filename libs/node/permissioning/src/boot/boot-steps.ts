import type { PermissionOperation } from '@tetrad/node-permission-contracts';
import type { PermissionConfig } from '../config/permission-config.js';
import { contractNodeUrl, type ContractNode } from '../records/node-url.js';
import type { PermissionRecords } from '../records/permission-records.js';

/** What a network is set up from. */
export interface BootPlan {
  readonly config: PermissionConfig;
  /** The nodes of the network's admins, this one among them. */
  readonly nodes: readonly ContractNode[];
  readonly isRaft: boolean;
}

/**
 * What the contracts still have to be told before permissions are in force, in the order in which they take it
 * (permissioning.md, section 5); nothing once the network is set up. What another node has told them is not told again.
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
