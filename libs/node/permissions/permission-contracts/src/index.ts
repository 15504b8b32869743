export {
  PERMISSION_CONTRACTS,
  permissionAbi,
  type PermissionContract,
  type PermissionModel,
} from './permission-abi.js';
export {
  NO_NODE,
  encodeOperation,
  type PermissionNode,
  type PermissionOperation,
} from './permission-operation.js';
export {
  permissionDecisions,
  permissionViews,
  type AccountEntry,
  type NodeEntry,
  type OrgEntry,
  type PendingOperation,
  type PermissionDecisions,
  type PermissionView,
  type PermissionViews,
  type RoleEntry,
} from './permission-view.js';
export { decodeEvent, permissionTopics, type PermissionEvent } from './permission-event.js';
export { PermissionBytecodeError } from './permission-bytecode.js';
export { deployPermissions, type DeploymentOptions, type PermissionAddresses } from './deploy-permissions.js';
export { permissionConfigText, type PermissionPolicy } from './permission-config.js';
