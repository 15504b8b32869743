import { contractNodeUrl, type ContractNode } from '../records/node-url.js';
import type { PermissionModel } from '@tetrad/node-permission-contracts';

/** The URL of a node as entries and events have it: the first model keeps it whole where the second has the node id. */
export function nodeUrlOf(
  node: ContractNode,
  { model, isRaft }: { readonly model: PermissionModel; readonly isRaft: boolean },
): string {
  return model === 'v1' ? node.enodeId : contractNodeUrl(node, isRaft);
}
