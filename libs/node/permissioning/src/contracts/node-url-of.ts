import { contractNodeUrl, type ContractNode } from '../records/node-url.js';
import type { PermissionModel } from '@tetrad/node-permission-contracts';

/** The URL of a node in an entry or event: the first model stores the URL in the field in which the second has the node id. */
export function nodeUrlOf(
  node: ContractNode,
  { model, isRaft }: { readonly model: PermissionModel; readonly isRaft: boolean },
): string {
  return model === 'v1' ? node.enodeId : contractNodeUrl(node, isRaft);
}
