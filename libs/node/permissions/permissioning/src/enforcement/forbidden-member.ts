import { NODE_STATUS } from '../records/entries.js';
import type { PermissionRecords } from '../records/permission-records.js';

/** Statuses with which a node does not stay in a raft cluster. */
const FORBIDDEN: readonly number[] = [
  NODE_STATUS.deactivated,
  NODE_STATUS.denylisted,
  NODE_STATUS.recovering,
];

/**
 * Whether every entry of a member of the raft cluster is forbidden. A member without entries was added by its operators, and stays.
 * @param nodeId - 128 hex digits
 */
export function isForbiddenMember(records: Pick<PermissionRecords, 'nodesNamed'>, nodeId: string): boolean {
  const entries = records.nodesNamed(nodeId);
  return entries.length > 0 && entries.every(({ status }) => FORBIDDEN.includes(status));
}
