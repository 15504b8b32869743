export { IN_THIS_THREAD, type WorkRunner } from './client-work.js';
export { dryRunError, revertError } from './execution-error.js';
export { ExecutionGate, assertAdmitted, type Admission, type ExecutionLimits } from './execution-gate.js';
export { gasToCarryNext } from './gas-of-hash.js';
export { readRevertReason } from './read-revert-reason.js';
export { replayUpTo, type ReplayParts } from './replay.js';
export {
  Simulator,
  type SimulationLimits,
  type SimulationParts,
  type SimulationOptions,
} from './simulator.js';
export type { BlocksByAddress } from './flat/blocks-to-trace.js';
export { FlatTracer, type FlatTraceLimits, type TraceType } from './flat/flat-tracer.js';
export { TransactionInspector } from './flat/transaction-inspector.js';
export { Tracer, type TraceLimits, type TraceResult } from './tracer.js';
export { WorkThreads, type WorkThreadsOptions } from './threads/work-threads.js';
export type { CallFrame, FrameLog } from './tracing/call-frame.js';
export type { CallTraceOptions } from './tracing/call-recorder.js';
export { createAccessList, type AccessListOutcome } from './tracing/create-access-list.js';
export { transactionsOf, type TracedTransaction } from './trace-subject.js';
export {
  runRecorded,
  type PreparedSubject,
  type Stage,
  type TraceSubject,
  traceNothing,
} from './tracing/run-recorded.js';
export type { StructForm, StructLog, StructLogOptions } from './tracing/struct-log.js';
export { NO_BUDGET, TraceBudget, TraceTooLargeError } from './tracing/trace-budget.js';
export { traceCalls } from './tracing/trace-calls.js';
export type { EvmdisStep } from './tracing/evmdis-recorder.js';
export { traceEvmdis } from './tracing/trace-evmdis.js';
export { countOpcodes, countSequences, type OpcodeCounts } from './tracing/trace-opcodes.js';
export { traceSelectors, type SelectorCounts } from './tracing/trace-selectors.js';
export { traceState, type StateTraceOptions } from './tracing/trace-state.js';
export {
  traceOlderStructLogs,
  traceStructLogs,
  type OlderStructTrace,
  type StructTrace,
} from './tracing/trace-struct-logs.js';
export type { StateTrace, TracedAccount, TracedAccounts } from './tracing/traced-account.js';
