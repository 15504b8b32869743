import type { ChangedAccounts, FlatTrace } from '@tetrad/api-node';
import type { StepListener } from '@tetrad/node-evm';
import { CallRecorder } from '../tracing/call-recorder.js';
import { runRecorded, type Stage, type TraceSubject } from '../tracing/run-recorded.js';
import type { TraceBudget } from '../tracing/trace-budget.js';
import { topOf } from '../tracing/trace-calls.js';
import { recorderOf } from '../tracing/trace-state.js';
import { accountChanges } from './account-changes.js';
import { flattenFrames } from './flatten-frames.js';

export interface FlatRecord {
  readonly output: Uint8Array;
  readonly trace: readonly FlatTrace[];
  /** Undefined unless it was asked for. */
  readonly stateDiff: ChangedAccounts | undefined;
}

/**
 * Executes the subject and records its calls without those to precompiles, and what it changed. The world is changed.
 * @param options.withState - whether changes are recorded; of public state, also when the subject is private
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function recordFlat(
  stage: Stage,
  subject: TraceSubject,
  { budget, withState }: { readonly budget: TraceBudget; readonly withState: boolean },
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
    trace: flattenFrames(topOf(calls, subject), budget),
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
