import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '@tetrad/types';

/** The settings of the node that deploys the permission contracts. */
export interface PermissionDeployment {
  /** JSON-RPC port of that node, on its host. */
  readonly rpcPort: number;
  readonly from: Address;
  readonly admins: readonly Address[];
  /** The accounts of the node keys, by the names of the nodes. */
  readonly markers: readonly (readonly [node: string, account: Address])[];
}

/** The configuration of `node deploy-permissions`, run in the folder of the node that it sends from. */
export function permissionsToml({ rpcPort, from, admins, markers }: PermissionDeployment): string {
  return `# How the permission contracts are deployed: tetrad node deploy-permissions --config-file permissions.toml
# in this folder, while the network runs. docs/how-to/new-network.md has the next steps.
chain-url = "http://127.0.0.1:${rpcPort}"
out = "permission-config.json"

# The guardian: it deploys the contracts, and may exchange their rules later. It has a role because it is one of the
# admins below; a separate account would have none.
from = "${from}"

# The first network admins: an account of each node. A majority of them decides.
admin-accounts = [${admins.map((account) => `"${account}"`).join(', ')}]

network-admin-org = "ADMINORG"
network-admin-role = "ADMIN"
org-admin-role = "ORGADMIN"
sub-org-depth = 4
sub-org-breadth = 4

# Left out: the accounts of the node keys, which sign the markers of restricted private transactions. They have no role
# until an admin gives them one that may call, with chainPermission_addAccountToOrg:
${markers.map(([node, account]) => `#   ${node} ${account}`).join('\n')}
`;
}

/** The nodes that may connect until the contracts are read; used with --permissioned only. */
export async function writePermittedNodes(folder: string, enodes: readonly string[]): Promise<void> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await writeFile(join(data, 'permissioned-nodes.json'), `${JSON.stringify(enodes, null, 2)}\n`);
}
