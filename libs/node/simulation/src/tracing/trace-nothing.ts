import { runRecorded, type Stage, type TraceSubject } from './run-recorded.js';

/** Executes the subject and shows nothing of it, as geth's `noopTracer`. The world is changed. Fails: as `runRecorded` */
export async function traceNothing(
  stage: Stage,
  subject: TraceSubject,
): Promise<Readonly<Record<string, never>>> {
  await runRecorded(stage, subject, {});
  return {};
}
