import type { ChangedAccounts } from '@tetrad/api-node';
import type { StepListener } from '@tetrad/node-evm';
import type { CallFrame } from '../tracing/call-frame.js';
import { CallRecorder } from '../tracing/call-recorder.js';
import { runRecorded, type Stage, type TraceSubject } from '../tracing/run-recorded.js';
import type { TraceBudget } from '../tracing/trace-budget.js';
import { topOf } from '../tracing/trace-calls.js';
import { recorderOf } from '../tracing/trace-state.js';
import { accountChanges } from './account-changes.js';

export interface RecordFlatOptions {
  /** Bytes left for all traces of the answer. */
  readonly budget: TraceBudget;
  /** Whether changes are recorded; of public state, also when the subject is private. */
  readonly withState: boolean;
}

export interface FlatRecord {
  readonly output: Uint8Array;
  /** The outermost call, with those that it made. */
  readonly top: CallFrame;
  /** Undefined unless it was asked for. */
  readonly stateDiff: ChangedAccounts | undefined;
}

/**
 * Executes the subject and records its calls without those to precompiles, and what it changed. The world is changed.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function recordFlat(
  stage: Stage,
  subject: TraceSubject,
  { budget, withState }: RecordFlatOptions,
): Promise<FlatRecord> {
  const calls = new CallRecorder({
    onlyTopCall: false,
    withLog: false,
    isFlat: true,
    revertReason: () => undefined,
    budget,
  });
  const state = withState ? recorderOf(stage, subject, budget) : undefined;
  const { returnData } = await runRecorded(stage, subject, state === undefined ? calls : both(calls, state));
  const read = await state?.read();
  return {
    output: returnData,
    top: topOf(calls, subject),
    stateDiff: read === undefined ? undefined : accountChanges(read.pre, read.post),
  };
}

/** Tells both of everything. */
function both(first: StepListener, second: StepListener): StepListener {
  return {
    step: (...event) => {
      first.step?.(...event);
      second.step?.(...event);
    },
    enter: (...event) => {
      first.enter?.(...event);
      second.enter?.(...event);
    },
    leave: (...event) => {
      first.leave?.(...event);
      second.leave?.(...event);
    },
    answered: (...event) => {
      first.answered?.(...event);
      second.answered?.(...event);
    },
  };
}
