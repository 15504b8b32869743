import type { MayTransact } from '@tetrad/node-execution';
import type { PermissionView } from '../following/permission-view.js';
import { accessAllows, accessOf } from '../records/access.js';
import { ACCOUNT_BARRIER } from './barriers.js';

/**
 * The first model: the access that the records give the sender, for pools. Blocks are not judged by it: a transaction that a
 * pool has let in stays good.
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
