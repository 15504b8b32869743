export { composeTransactionManager } from './compose.js';
export { managerOptions, type ManagerConfig } from './config.js';
