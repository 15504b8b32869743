export { IN_THIS_THREAD, type WorkRunner } from './client-work.js';
export { dryRunError, revertError } from './execution-error.js';
export { ExecutionGate, assertAdmitted, type Admission, type ExecutionLimits } from './execution-gate.js';
export { gasToCarryNext } from './gas-of-hash.js';
export { readRevertReason } from './read-revert-reason.js';
export { replayUpTo } from './replay.js';
export {
  Simulator,
  type SimulationLimits,
  type SimulationParts,
  type SimulationOptions,
} from './simulator.js';
export { Tracer, type TraceLimits, type TraceResult } from './tracer.js';
export { WorkThreads, type WorkThreadsOptions } from './threads/work-threads.js';
