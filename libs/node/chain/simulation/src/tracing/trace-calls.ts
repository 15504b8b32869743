import { dropLogsOfFailures, type CallFrame } from './call-frame.js';
import { CallRecorder, type CallTraceOptions } from './call-recorder.js';
import {
  isPrepared,
  runRecorded,
  type PreparedSubject,
  type Stage,
  type TraceSubject,
} from './run-recorded.js';

/**
 * Executes the subject and records every message in it, as geth's `callTracer`. The world is changed.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function traceCalls(
  stage: Stage,
  subject: TraceSubject,
  options: CallTraceOptions,
): Promise<CallFrame> {
  const recorder = new CallRecorder(options);
  const { gasUsed, gasLimit } = await runRecorded(stage, subject, recorder);
  const top = topOf(recorder, subject);
  dropLogsOfFailures(top);
  // Gas limit and gas of the whole transaction, including the intrinsic gas.
  return { ...top, gas: BigInt(gasLimit), gasUsed: BigInt(gasUsed) };
}

/** The outermost call; one without gas where the subject was not executed here. */
export function topOf({ top }: CallRecorder, subject: TraceSubject): CallFrame {
  const frame = top ?? (isPrepared(subject) ? unsent(subject) : undefined);
  if (frame === undefined) throw new Error('the execution sent no message');
  return frame;
}

/** The call frame of a transaction that was not executed here. */
function unsent({ from, to, input }: PreparedSubject): CallFrame {
  const gas = { gas: 0n, gasUsed: 0n };
  return to === undefined
    ? { type: 'CREATE', from, value: 0n, ...gas, input }
    : { type: 'CALL', from, to, value: 0n, ...gas, input };
}
