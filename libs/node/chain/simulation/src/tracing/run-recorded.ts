import {
  FAILURE,
  InvalidTransactionError,
  executeCall,
  executeTransaction,
  type CallRequest,
  type ExecutionContext,
  type Hooks,
  type StepListener,
  type World,
} from '@tetrad/node-evm';
import type { Address, SignedTransaction } from '@tetrad/types';

/** Gas of a slice: an opcode takes many times longer when a listener looks at it. */
const SLICE_GAS = 10_000;

/** Where a subject runs: execution context and world. */
export interface Stage {
  /** Must not have a listener. */
  readonly context: ExecutionContext;
  /** Changed by the subject; pass a copy to keep it. */
  readonly world: World;
  /** Hooks for a copy of the world, where the context has some. */
  readonly hooksOf?: ((world: World) => Hooks) | undefined;
}

/** An execution that the caller prepares: that of a private transaction. */
export interface PreparedSubject {
  readonly from: Address;
  readonly to: Address | undefined;
  /** Data of the transaction. */
  readonly input: Uint8Array;
  readonly gasLimit: bigint;
  /** Executes in the context, which has a listener; its gas is not accounted. */
  run(context: ExecutionContext): Promise<Pick<RecordedOutcome, 'failed' | 'returnData'>>;
}

/** The subject of a trace: a transaction as in a block, an unsigned message, or a prepared execution. */
export type TraceSubject = SignedTransaction | CallRequest | PreparedSubject;

export interface RecordedOutcome {
  readonly failed: boolean;
  /** Gas of the whole transaction, including the intrinsic gas. */
  readonly gasUsed: number;
  readonly gasLimit: number;
  readonly returnData: Uint8Array;
}

/**
 * Executes the subject while the listener records it.
 * @throws InvalidTransactionError when it cannot even start; ExecutionAbortedError; whatever the listener throws. The
 *   world is as it was then
 */
export async function runRecorded(
  { context, world }: Stage,
  subject: TraceSubject,
  listener: StepListener,
): Promise<RecordedOutcome> {
  const recorded = { ...context, listener, sliceGas: SLICE_GAS };
  if (isPrepared(subject)) {
    const outcome = await subject.run(recorded);
    return { ...outcome, gasUsed: 0, gasLimit: Number(subject.gasLimit) };
  }
  if (!isTransaction(subject)) return recordCall({ context: recorded, world }, subject);
  const { status, gasUsed, returnData } = await executeTransaction(recorded, subject, world);
  return {
    failed: status === 0,
    gasUsed: Number(gasUsed),
    gasLimit: Number(subject.gasLimit),
    returnData,
  };
}

/** The sender of the subject. */
export function senderOf(subject: TraceSubject): Address {
  return isTransaction(subject) ? subject.sender : subject.from;
}

/** Whether the subject is an execution that the caller prepared. */
export function isPrepared(subject: TraceSubject): subject is PreparedSubject {
  return 'run' in subject;
}

function isTransaction(subject: TraceSubject): subject is SignedTransaction {
  return 'raw' in subject;
}

async function recordCall({ context, world }: Stage, request: CallRequest): Promise<RecordedOutcome> {
  let started = false;
  const { listener } = context;
  const begin = () => (started = true);
  const watched: StepListener = {
    step: (evm, frame, op) => listener?.step?.(evm, frame, op),
    needsTurn: () => listener?.needsTurn?.() ?? false,
    enter: (frame, evm) => begin() && listener?.enter?.(frame, evm),
    leave: (frame, outcome, evm) => listener?.leave?.(frame, outcome, evm),
    answered: (message, outcome, evm) => begin() && listener?.answered?.(message, outcome, evm),
  };
  const outcome = await executeCall({ ...context, listener: watched }, request, world);
  const { gasUsed, returnData, failure } = outcome;
  if (!started) throw new InvalidTransactionError('NOT_EXECUTABLE', reasonOf(failure));
  return { failed: failure !== undefined, gasUsed, gasLimit: request.gas, returnData };
}

/** Why a call did not start, in geth's words, which differ from those for calls between contracts. */
function reasonOf(failure: string | undefined): string {
  if (failure === FAILURE.insufficientBalance) return 'insufficient funds for transfer';
  return failure ?? 'the call did not start';
}

/**
 * Executes the subject and shows nothing of it, as geth's `noopTracer`. The world is changed.
 * @throws as `runRecorded`
 */
export async function traceNothing(
  stage: Stage,
  subject: TraceSubject,
): Promise<Readonly<Record<string, never>>> {
  await runRecorded(stage, subject, {});
  return {};
}
