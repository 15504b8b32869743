import type { TransactionBarrier } from '@tetrad/node-execution';
import type { NodeId } from '@tetrad/node-peer';
import type { Address } from '@tetrad/types';
import type { PermissionView } from '../following/permission-view.js';
import { maySendThrough } from '../records/access.js';
import { NODE_BARRIER } from './barriers.js';

/** Whether an account may submit through this node, under both models (permissioning.md, section 10). */
export function submissionRule(view: Pick<PermissionView, 'records' | 'isInForce'>, ownId: NodeId) {
  return (sender: Address): TransactionBarrier | undefined =>
    view.isInForce && !maySendThrough(view.records, sender, ownId) ? NODE_BARRIER : undefined;
}
