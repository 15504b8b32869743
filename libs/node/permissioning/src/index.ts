export type { ActionContext, NodeNaming, PermissionAction } from './operations/action.js';
export {
  approveAccountRecovery,
  approveAdminRole,
  assignAdminRole,
  assignRole,
  recoverAccount,
  updateAccountStatus,
} from './operations/account-actions.js';
export { addNode, approveNodeRecovery, recoverNode, updateNodeStatus } from './operations/node-actions.js';
export {
  addOrg,
  addSubOrg,
  approveOrg,
  approveOrgStatus,
  updateOrgStatus,
} from './operations/org-actions.js';
export {
  performAction,
  type ActionArguments,
  type ActionParts,
  type ActionSender,
  type ActionTransaction,
} from './operations/perform-action.js';
export { actionRefusal } from './operations/refusal-texts.js';
export { addRole, removeRole } from './operations/role-actions.js';
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
  type VoteSubject,
} from './records/pending-item.js';
export {
  DEFAULT_RECORD_CAPACITY,
  MAX_RECORD_TEXT,
  PermissionRecords,
  type RecordCapacity,
} from './records/permission-records.js';
export { isAdminRole, type PermissionPolicy } from './records/policy.js';
