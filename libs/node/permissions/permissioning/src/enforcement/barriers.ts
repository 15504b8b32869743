import type { TransactionBarrier, MayTransact } from '@tetrad/node-execution';
import type { NodeId } from '@tetrad/node-peer';
import type { Address } from '@tetrad/types';
import type { PermissionRule } from '../explanation/explanation.js';
import type { PermissionView } from '../following/permission-view.js';
import { maySendThrough, accessAllows, accessOf } from '../records/access.js';

/** The account has no permission for this kind of transaction. */
export const ACCOUNT_BARRIER: TransactionBarrier = {
  reason: 'ACCOUNT_NOT_PERMITTED',
  message: 'account does not have permission for the transaction',
};

/** The account belongs to other organizations than this node. */
const NODE_BARRIER: TransactionBarrier = {
  reason: 'NODE_NOT_PERMITTED',
  message: 'cannot send transaction from this node',
  data: { rule: 'NODE_OF_OTHER_ORG' satisfies PermissionRule },
};

/** Whether an account may submit through this node, under both models (docs/spec/permissions.md#transactions). */
export function submissionRule(view: Pick<PermissionView, 'records' | 'isInForce'>, ownId: NodeId) {
  return (sender: Address): TransactionBarrier | undefined =>
    view.isInForce && !maySendThrough(view.records, sender, ownId) ? NODE_BARRIER : undefined;
}

/**
 * The first model: the access that the records give the sender, for pools. Blocks are not checked by it: a transaction that a
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
