export { composeConsole } from './compose.js';
export { consoleOptions, type ConsoleConfig } from './config.js';
