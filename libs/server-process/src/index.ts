export { startGuarded, type GuardedProcess, type GuardedProgram, type Launch } from './guarded-process.js';
export { KeptServer, type KeptServerEvents } from './kept-server.js';
export { freeLoopbackPort, isLoopbackPortFree } from './loopback-port.js';
