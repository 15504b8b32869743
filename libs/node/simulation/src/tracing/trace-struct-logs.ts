import { runRecorded, type Stage, type TraceSubject } from './run-recorded.js';
import type { StructLog, StructLogOptions } from './struct-log.js';
import { StructLogger } from './struct-logger.js';
import type { TraceBudget } from './trace-budget.js';

/** An execution, opcode by opcode. */
export interface StructTrace {
  /** Gas used by the transaction. */
  readonly gas: bigint;
  readonly failed: boolean;
  readonly returnValue: Uint8Array;
  readonly structLogs: readonly StructLog[];
}

/**
 * Executes the subject and records every opcode, as geth does when the request names no tracer. The world is changed.
 *
 * Fails: TraceTooLargeError; as `runRecorded`
 */
export async function traceStructLogs(
  stage: Stage,
  subject: TraceSubject,
  { budget, ...options }: StructLogOptions & { readonly budget: TraceBudget },
): Promise<StructTrace> {
  const logger = new StructLogger(options, budget);
  const { gasUsed, failed, returnData } = await runRecorded(stage, subject, logger);
  return { gas: BigInt(gasUsed), failed, returnValue: returnData, structLogs: logger.logs };
}
