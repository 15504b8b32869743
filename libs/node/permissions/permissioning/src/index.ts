export { extensionAdmins } from './enforcement/extension-admins.js';
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
export {
  pendingItemAtHead,
  type AskedContracts,
  type PermissionedState,
} from './operations/permissioned-state.js';
export {
  isConnectionAllowed,
  isTransactionAllowed,
  type IntendedTransaction,
} from './operations/questions.js';
export { actionRejection } from './operations/rejection-texts.js';
export { addRole, removeRole } from './operations/role-actions.js';
export {
  accessAllows,
  accessOf,
  isNodeApproved,
  isOrgActive,
  maySendThrough,
  isNetworkAdmin,
  isOrgAdmin,
} from './records/access.js';
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
export { NetworkBoot, type NodeSender } from './boot/network-boot.js';
export type { BootPlan } from './boot/boot-steps.js';
export { enforcementSwitch, type EnforcementSwitch } from './config/enforcement-switch.js';
export {
  PermissionConfigError,
  MAX_CONFIG_BYTES,
  parsePermissionConfig,
  type PermissionConfig,
} from './config/permission-config.js';
export type { ContractState } from './contracts/contract-state.js';
export { PermissionContractError } from './contracts/read-records.js';
export { ContractPermission } from './enforcement/contract-permission.js';
export { isForbiddenMember } from './enforcement/forbidden-member.js';
export {
  chainPermissions,
  nodePermissions,
  type ChainPermissions,
  type NodePermissions,
} from './enforcement/permission-rules.js';
export { hasReached } from './following/catching-up.js';
export { PermissionView, type PermissionChain } from './following/permission-view.js';
export { NodeListError } from './node-lists/node-list-file.js';
export { NodeLists } from './node-lists/node-lists.js';
export {
  explainPermission,
  type ExplainedSubject,
  type ExplainingParts,
  type PermissionQuestion,
} from './explanation/explain.js';
export {
  type ExplainedAction,
  type ExplainedRecords,
  type Explanation,
  type PermissionRule,
} from './explanation/explanation.js';
export { asciiOf } from './explanation/names.js';
export {
  PREVIEWED_CHANGES,
  previewChange,
  type ChangePreview,
  type PreviewedChange,
} from './explanation/preview-change.js';
