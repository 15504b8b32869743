export { commands } from './commands/command-list.js';
