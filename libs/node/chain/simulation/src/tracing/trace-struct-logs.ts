import { hexFromBytes } from '@tetrad/types';
import { OlderStructLogger } from './older-struct-logger.js';
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

/** The same in the form of geth 1.10 and GoQuorum. */
export interface OlderStructTrace extends Omit<StructTrace, 'returnValue'> {
  /** In hex without 0x, by which the form is known. */
  readonly returnValue: string;
}

/**
 * Executes the subject and records every opcode, as geth does when the request names no tracer. The world is changed.
 * @throws TraceTooLargeError; as `runRecorded`
 */
export function traceStructLogs(
  stage: Stage,
  subject: TraceSubject,
  { budget, ...options }: BoundedOptions,
): Promise<StructTrace> {
  return run(stage, subject, new StructLogger(options, budget));
}

/** As `traceStructLogs`, in the form of geth 1.10 and GoQuorum. */
export async function traceOlderStructLogs(
  stage: Stage,
  subject: TraceSubject,
  { budget, ...options }: BoundedOptions,
): Promise<OlderStructTrace> {
  const trace = await run(stage, subject, new OlderStructLogger(options, budget));
  return { ...trace, returnValue: hexFromBytes(trace.returnValue).slice(2) };
}

type BoundedOptions = StructLogOptions & { readonly budget: TraceBudget };

async function run(stage: Stage, subject: TraceSubject, logger: StructLogger): Promise<StructTrace> {
  const { gasUsed, failed, returnData } = await runRecorded(stage, subject, logger);
  return { gas: BigInt(gasUsed), failed, returnValue: returnData, structLogs: logger.logs };
}
