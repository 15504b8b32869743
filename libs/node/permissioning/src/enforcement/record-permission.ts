import type { MayTransact } from '@tetrad/node-execution';
import type { PermissionView } from '../following/permission-view.js';
import { accessAllows, accessOf } from '../records/access.js';
import { ACCOUNT_BARRIER } from './barriers.js';

/**
 * The first model: the access of the sender by the records, checked by pools. Blocks are not checked: a transaction that a
 * pool has accepted stays valid.
 */
export function recordPermission(
  view: Pick<PermissionView, 'records' | 'config' | 'isInForce'>,
): MayTransact {
  return ({ sender, to }) => {
    if (!view.isInForce) return undefined;
    const isAllowed = accessAllows(accessOf(view.records, view.config, sender), to === undefined);
    return isAllowed ? undefined : ACCOUNT_BARRIER;
  };
}
