import type { ChangedAccounts, VmTrace } from '@tetrad/api-node';
import type { StepListener } from '@tetrad/node-evm';
import type { CallFrame } from '../tracing/call-frame.js';
import { CallRecorder } from '../tracing/call-recorder.js';
import { runRecorded, type Stage, type TraceSubject } from '../tracing/run-recorded.js';
import type { TraceBudget } from '../tracing/trace-budget.js';
import { topOf } from '../tracing/trace-calls.js';
import { recorderOf } from '../tracing/trace-state.js';
import { VmRecorder } from '../tracing/vm-recorder.js';
import { accountChanges } from './account-changes.js';

export interface RecordFlatOptions {
  /** Bytes left for all traces of the answer. */
  readonly budget: TraceBudget;
  /** Whether changes are recorded; of public state, also when the subject is private. */
  readonly withState: boolean;
  /** Index of the transaction whose opcodes are recorded; undefined for none. */
  readonly opcodesOf?: number | undefined;
}

export interface FlatRecord {
  readonly output: Uint8Array;
  /** The outermost call, with those that it made. */
  readonly top: CallFrame;
  /** Undefined unless it was asked for. */
  readonly stateDiff: ChangedAccounts | undefined;
  /** Undefined unless it was asked for. */
  readonly vmTrace: VmTrace | undefined;
}

/**
 * Executes the subject and records its calls without those to precompiles, what it changed, and its opcodes. The world is changed.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function recordFlat(
  stage: Stage,
  subject: TraceSubject,
  { budget, withState, opcodesOf }: RecordFlatOptions,
): Promise<FlatRecord> {
  const calls = new CallRecorder({
    onlyTopCall: false,
    withLog: false,
    isFlat: true,
    revertReason: () => undefined,
    budget,
  });
  const state = withState ? recorderOf(stage, subject, budget) : undefined;
  const opcodes = opcodesOf === undefined ? undefined : new VmRecorder(budget, opcodesOf);
  const listeners = [calls, state, opcodes].filter((one) => one !== undefined);
  const { returnData } = await runRecorded(stage, subject, tellAll(listeners));
  const read = await state?.read();
  return {
    output: returnData,
    top: topOf(calls, subject),
    stateDiff: read === undefined ? undefined : accountChanges(read.pre, read.post),
    vmTrace: opcodes?.trace,
  };
}

/** Tells all of them of everything. */
function tellAll(listeners: readonly StepListener[]): StepListener {
  return {
    step: (...event) => listeners.forEach((one) => one.step?.(...event)),
    // Each of them counts for itself.
    needsTurn: () => listeners.map((one) => one.needsTurn?.() ?? false).includes(true),
    enter: (...event) => listeners.forEach((one) => one.enter?.(...event)),
    leave: (...event) => listeners.forEach((one) => one.leave?.(...event)),
    answered: (...event) => listeners.forEach((one) => one.answered?.(...event)),
  };
}
