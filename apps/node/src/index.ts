export { composeNode } from './compose.js';
export { verifyNode } from './verify-node.js';
export { nodeOptions, type NodeConfig } from './config.js';
