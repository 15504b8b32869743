export { composeNode, verifyNode } from './compose.js';
export { nodeOptions, type NodeConfig } from './config.js';
