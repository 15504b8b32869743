export { accessAllows, accessOf, isNodeApproved, isOrgActive, maySendThrough } from './records/access.js';
export { isNetworkAdmin, isOrgAdmin } from './records/admins.js';
export {
  ACCESS,
  ACCOUNT_STATUS,
  NODE_STATUS,
  ORG_STATUS,
  fullOrgId,
  type AccountEntry,
  type NodeEntry,
  type OrgDetails,
  type OrgEntry,
  type OrgRecord,
  type RoleEntry,
} from './records/entries.js';
export type { NodeEvent, NodeEventName, PermissionEvent } from './records/events.js';
export { contractNodeUrl, nodeIdIn, type ContractNode } from './records/node-url.js';
export {
  PENDING_OPERATION,
  isPending,
  isVoteFor,
  type PendingItem,
  type PendingOperation,
  type PermissionModel,
  type VoteSubject,
} from './records/pending-item.js';
export {
  DEFAULT_RECORD_CAPACITY,
  MAX_RECORD_TEXT,
  PermissionRecords,
  type RecordCapacity,
} from './records/permission-records.js';
export { isAdminRole, type PermissionPolicy } from './records/policy.js';
