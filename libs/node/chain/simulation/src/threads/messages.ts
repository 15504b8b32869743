import {
  ExecutionAbortedError,
  InvalidTransactionError,
  type BlockContext,
  type ContextRules,
  type InvalidTransactionCode,
  type Supplied,
} from '@tetrad/node-execution';
import type { Missing } from '@tetrad/node-evm';
import { RequestError, TetradError } from '@tetrad/types';
import { TraceTooLargeError } from '../tracing/trace-budget.js';
import type { Work, WorkResult } from '../client-work.js';

/** The fields of a block, without the function that looks up block hashes. */
export type BlockFields = Omit<BlockContext, 'findBlockHash'>;

/** Messages to a thread; `id` is the number of the work. */
export type ToThread = { readonly id: number } & (
  | { readonly kind: 'run'; readonly work: Work; readonly block: BlockFields; readonly rules: ContextRules }
  | { readonly kind: 'supply'; readonly supplied: readonly Supplied[] }
  /** The work is long, and has its place now. */
  | { readonly kind: 'goOn' }
  | { readonly kind: 'abort' }
);

/** Messages from a thread. `done` or `failed` is the last message of a work. */
export type FromThread = { readonly id: number } & (
  | { readonly kind: 'missing'; readonly missing: readonly Missing[] }
  /** The work is long, and waits for `goOn`. */
  | { readonly kind: 'long' }
  | { readonly kind: 'done'; readonly result: WorkResult }
  | { readonly kind: 'failed'; readonly failure: Failure }
);

/** An error as a message between threads, which cannot contain class instances. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code?: InvalidTransactionCode;
}

/** The work needs more memory than its thread may fill. */
export class ThreadMemoryError extends TetradError {
  override readonly name = 'ThreadMemoryError';
  override readonly code = 'EXECUTION_FAILED';
}

/** The error as a message. Class, message and the code of InvalidTransactionError are kept. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof InvalidTransactionError) {
    const { name, message, code } = error;
    return { name, message, code };
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };
}

/** The error of a message, with its class if callers distinguish it. */
export function errorFrom({ name, message, code }: Failure): Error {
  if (code !== undefined) return new InvalidTransactionError(code, message);
  if (name === 'ExecutionAbortedError') return new ExecutionAbortedError(message);
  if (name === 'TraceTooLargeError') return new TraceTooLargeError(message);
  if (name === 'ThreadMemoryError') return new RequestError('EXECUTION_FAILED', message);
  return new Error(`${name} in an execution thread: ${message}`);
}
