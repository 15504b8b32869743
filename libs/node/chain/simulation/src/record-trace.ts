import type { TraceOptions } from '@tetrad/api-node';
import { stageOf, type MessageStage } from '@tetrad/node-execution';
import type { TraceBudget } from './tracing/trace-budget.js';
import { traceCalls } from './tracing/trace-calls.js';
import { traceNothing, type TraceSubject } from './tracing/run-recorded.js';
import { traceEvmdis } from './tracing/trace-evmdis.js';
import { countOpcodes, countSequences } from './tracing/trace-opcodes.js';
import { traceSelectors } from './tracing/trace-selectors.js';
import { traceState } from './tracing/trace-state.js';
import type { StructForm } from './tracing/struct-log.js';
import { traceOlderStructLogs, traceStructLogs } from './tracing/trace-struct-logs.js';

export interface RecordingOptions {
  readonly options: TraceOptions;
  readonly budget: TraceBudget;
  /** Steps of the execution that are shown at most. */
  readonly traceSteps: number;
  /** How steps are written; absent for geth's form. */
  readonly structForm?: StructForm | undefined;
}

/**
 * Runs the subject with the recorder that the options name.
 * @throws TraceTooLargeError; InvalidTransactionError when it cannot even start; ExecutionAbortedError
 */
export async function recordTrace(
  simulation: MessageStage,
  subject: TraceSubject,
  { options, budget, traceSteps, structForm }: RecordingOptions,
): Promise<unknown> {
  const { onlyTopCall, withLog, diffMode } = options.tracerConfig ?? {};
  const stage = stageOf(simulation);
  switch (options.tracer) {
    case 'callTracer': {
      const { revertReason } = await import('./revert-reason.js');
      const config = { onlyTopCall: onlyTopCall === true, withLog: withLog === true };
      return traceCalls(stage, subject, { ...config, revertReason, budget });
    }
    case 'prestateTracer':
      return traceState(stage, subject, { diffMode: diffMode === true, budget });
    case '4byteTracer':
      return traceSelectors(stage, subject, budget);
    case 'opcountTracer':
      return countOpcodes(stage, subject);
    case 'unigramTracer':
      return countSequences(stage, subject, { length: 1, budget });
    case 'bigramTracer':
      return countSequences(stage, subject, { length: 2, budget });
    case 'trigramTracer':
      return countSequences(stage, subject, { length: 3, budget });
    case 'evmdisTracer':
      return traceEvmdis(stage, subject, budget);
    case 'noopTracer':
      return traceNothing(stage, subject);
    default:
      return structForm === 'goquorum'
        ? traceOlderStructLogs(stage, subject, { ...olderOptions(options, traceSteps), budget })
        : traceStructLogs(stage, subject, { ...stepOptions(options, traceSteps), budget });
  }
}

function stepOptions(options: TraceOptions, most: number) {
  const { disableStack, disableStorage, enableMemory, enableReturnData, limit } = options;
  return {
    disableStack: disableStack ?? undefined,
    disableStorage: disableStorage ?? undefined,
    enableMemory: enableMemory ?? undefined,
    enableReturnData: enableReturnData ?? undefined,
    limit: limit === undefined || limit === null || limit === 0 ? most : Math.min(limit, most),
  };
}

/** Memory is shown unless the options say otherwise, and no return data. */
function olderOptions(options: TraceOptions, most: number) {
  const enableMemory = options.disableMemory !== true && options.enableMemory !== false;
  return { ...stepOptions(options, most), enableMemory, enableReturnData: false };
}
