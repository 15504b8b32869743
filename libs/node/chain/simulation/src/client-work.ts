import type { TraceOptions } from '@tetrad/api-node';
import {
  call,
  estimateGas,
  messageOf,
  stageOf,
  type CallOutcome,
  type CallRequest,
  type GasEstimate,
  type MessageStage,
  type Simulation,
} from '@tetrad/node-execution';
import { TraceBudget } from './tracing/trace-budget.js';
import { createAccessList, type AccessListOutcome } from './tracing/create-access-list.js';
import { recordTrace } from './record-trace.js';
import type { StructForm } from './tracing/struct-log.js';

type Message = CallRequest & { readonly gas: bigint };

/** Kinds of executions for clients with their parameters: plain values, which can be sent to another thread. */
interface WorkParameters {
  readonly call: { readonly request: Message };
  /** @param highest - upper bound of the gas, with which the request must succeed */
  readonly estimate: { readonly request: CallRequest; readonly highest: bigint };
  readonly accessList: { readonly request: Message };
  readonly trace: {
    readonly request: Message;
    readonly options: TraceOptions;
    /** Bytes of the trace. */
    readonly answerBytes: number;
    readonly traceSteps: number;
    readonly structForm?: StructForm | undefined;
  };
}

interface WorkResults {
  readonly call: CallOutcome;
  readonly estimate: GasEstimate;
  readonly accessList: AccessListOutcome;
  /** As the tracer gives it, plain too. */
  readonly trace: unknown;
}

export type WorkKind = keyof WorkParameters;
export type Work<Kind extends WorkKind = WorkKind> = { readonly kind: Kind } & WorkParameters[Kind];
export type WorkResult<Kind extends WorkKind = WorkKind> = WorkResults[Kind];

/** Runs the executions of clients, in this thread or in others. */
export interface WorkRunner {
  /**
   * The world is changed.
   * @throws ExecutionAbortedError, TraceTooLargeError, InvalidTransactionError
   */
  run<Kind extends WorkKind>(simulation: Simulation, work: Work<Kind>): Promise<WorkResult<Kind>>;
}

const RUNS: {
  readonly [Kind in WorkKind]: (stage: MessageStage, work: Work<Kind>) => Promise<WorkResult<Kind>>;
} = {
  call: (stage, { request }) => call(stage, request),
  estimate: (stage, { request, highest }) => estimateGas(stage, request, highest),
  accessList: (stage, { request }) => createAccessList(stageOf(stage), messageOf(request)),
  trace: (stage, { request, answerBytes, ...recording }) =>
    recordTrace(stage, messageOf(request), { ...recording, budget: new TraceBudget(answerBytes) }),
};

/**
 * Does the work in the calling thread.
 * @throws as `WorkRunner`
 */
export function runWork<Kind extends WorkKind>(
  stage: MessageStage,
  work: Work<Kind>,
): Promise<WorkResult<Kind>> {
  return RUNS[work.kind](stage, work);
}

/** Does all work in the calling thread. */
export const IN_THIS_THREAD: WorkRunner = { run: runWork };
