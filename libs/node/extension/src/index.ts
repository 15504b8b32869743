export { EVERYONE_IS_ADMIN, type AdminAccounts } from './extension-checks.js';
export { ContractExtensions, type ContractExtensionsParts } from './contract-extensions.js';
export { SHARED_STATE_LIMITS, type HeldContract, type InspectedContract } from './inspect-contract.js';
export type { InspectedExtension } from './inspect-extensions.js';
export { ExtensionDuties, type ExtensionDutiesParts } from './extension-duties.js';
export { ManagementContracts } from './management-contracts.js';
