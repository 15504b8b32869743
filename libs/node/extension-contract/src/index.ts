export { loadManagementCode } from './load-management-code.js';
export { managementCreation, managementReads, managementWrites, readAnswer } from './management-calls.js';
export { readManagementEvent, type ManagementEvent } from './management-events.js';
