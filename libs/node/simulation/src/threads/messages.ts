import {
  ExecutionAbortedError,
  InvalidTransactionError,
  type BlockContext,
  type ContextRules,
  type InvalidTransactionCode,
  type Supplied,
} from '@tetrad/node-execution';
import type { Missing } from '@tetrad/node-evm';
import { TraceTooLargeError } from '../tracing/trace-budget.js';
import type { Work, WorkResult } from '../client-work.js';

/** A block without what it can look up. */
export type BlockFields = Omit<BlockContext, 'findBlockHash'>;

/** To a thread. All are about the work with the number. */
export type ToThread = { readonly id: number } & (
  | { readonly kind: 'run'; readonly work: Work; readonly block: BlockFields; readonly rules: ContextRules }
  | { readonly kind: 'supply'; readonly supplied: readonly Supplied[] }
  /** It takes long, and has its place now. */
  | { readonly kind: 'goOn' }
  | { readonly kind: 'abort' }
);

/** From a thread. `done` and `failed` are the last of a work. */
export type FromThread = { readonly id: number } & (
  | { readonly kind: 'missing'; readonly missing: readonly Missing[] }
  /** It takes long, and waits. */
  | { readonly kind: 'long' }
  | { readonly kind: 'done'; readonly result: WorkResult }
  | { readonly kind: 'failed'; readonly failure: Failure }
);

/** An error on its way between threads, which carry no classes. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code?: InvalidTransactionCode;
}

export function failureFrom(error: unknown): Failure {
  if (error instanceof InvalidTransactionError) {
    const { name, message, code } = error;
    return { name, message, code };
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };
}

export function errorFrom({ name, message, code }: Failure): Error {
  if (code !== undefined) return new InvalidTransactionError(code, message);
  if (name === 'ExecutionAbortedError') return new ExecutionAbortedError(message);
  if (name === 'TraceTooLargeError') return new TraceTooLargeError(message);
  return new Error(`${name} in an execution thread: ${message}`);
}
