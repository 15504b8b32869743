export { composeNode } from './compose.js';
export { verifyNode } from './commands/verify-node.js';
export { nodeOptions, type NodeConfig } from './options/config.js';
