import type { ProposedWrite } from '../writes/write.js';
import type { PermissionCall } from './pending-items.js';

/** Who makes an action: an account whose key a node holds. */
export interface Sender {
  readonly node: string;
  readonly from: string;
}

/** The write of an action. */
export function permissionWrite(
  { node, from }: Sender,
  title: string,
  { name, params }: PermissionCall,
): ProposedWrite {
  return {
    title,
    at: { kind: 'node', name: node },
    from,
    method: `chainPermission_${name}`,
    params: [...params, { from }],
  };
}
