import type { PermissionedState } from '@tetrad/node-permissioning';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from '../node-parts.js';

/** Dependencies of the permission methods. */
export type PermissionParts = Pick<NodeParts, 'permissions' | 'sender' | 'identity'>;

/** @throws RequestError PERMISSIONING_NOT_ENABLED on a node that asks no permission contracts (docs/adr/0066) */
export function permissionedState({ permissions }: Pick<PermissionParts, 'permissions'>): PermissionedState {
  if (permissions.view !== undefined) return permissions.view;
  throw new RequestError('PERMISSIONING_NOT_ENABLED', 'permissioning is not enabled on this node');
}
