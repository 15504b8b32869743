import { EvmdisRecorder, type EvmdisStep } from './evmdis-recorder.js';
import { runRecorded, type Stage, type TraceSubject } from './run-recorded.js';
import type { TraceBudget } from './trace-budget.js';

/**
 * Executes the subject and records its opcodes for a disassembler, as GoQuorum's `evmdisTracer`. The world is changed.
 *
 * @throws TraceTooLargeError; as `runRecorded`
 */
export async function traceEvmdis(
  stage: Stage,
  subject: TraceSubject,
  budget: TraceBudget,
): Promise<readonly EvmdisStep[]> {
  const recorder = new EvmdisRecorder(budget);
  await runRecorded(stage, subject, recorder);
  return recorder.ops;
}
