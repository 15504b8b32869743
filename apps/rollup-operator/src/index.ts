export { composeRollupOperator } from './compose.js';
export { operatorOptions, type OperatorConfig } from './config.js';
