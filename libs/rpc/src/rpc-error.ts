import { RefusalError, hexFromBytes } from '@tetrad/types';
import { EXECUTION_REVERTED_CODE, FRAMING_CODES, refusalCode } from './error-codes.js';

/** The `error` member of a response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request that never became a call: bad JSON, a bad envelope, an unknown method or a bad parameter. */
export class FramingError extends Error {
  override readonly name = 'FramingError';

  constructor(
    readonly kind: keyof typeof FRAMING_CODES,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** A contract reverted in a call that only asked; travels as code 3 with the revert bytes. */
export class ExecutionRevertedError extends Error {
  override readonly name = 'ExecutionRevertedError';

  constructor(
    message: string,
    readonly revertData: Uint8Array,
  ) {
    super(message);
  }
}

/** An error that another service answered, handed on as it came. */
export class RelayedError extends Error {
  override readonly name = 'RelayedError';

  constructor(readonly error: RpcErrorObject) {
    super(error.message);
  }
}

/** The wire form of an expected error; undefined for a fault, whose text is nobody's business. */
export function toErrorObject(error: unknown): RpcErrorObject | undefined {
  if (error instanceof FramingError) {
    const data = error.data === undefined ? {} : { data: error.data };
    return { code: FRAMING_CODES[error.kind], message: error.message, ...data };
  }
  if (error instanceof RefusalError) {
    return {
      code: refusalCode(error.reason),
      message: error.message,
      data: { ...error.data, reason: error.reason },
    };
  }
  if (error instanceof ExecutionRevertedError) {
    return { code: EXECUTION_REVERTED_CODE, message: error.message, data: hexFromBytes(error.revertData) };
  }
  return error instanceof RelayedError ? error.error : undefined;
}

/** Whether work ended because its signal said so. */
export function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}

/** The word under which an error is counted. */
export function reasonOf(error: unknown): string {
  if (error instanceof RefusalError) return error.reason;
  if (error instanceof FramingError) return error.kind;
  if (error instanceof ExecutionRevertedError) return 'EXECUTION_REVERTED';
  if (error instanceof RelayedError) return 'RELAYED';
  return isAbort(error) ? 'ABANDONED' : 'INTERNAL_ERROR';
}
