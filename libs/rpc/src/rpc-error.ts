import { RequestError, TetradError, hexFromBytes, type ErrorData } from '@tetrad/types';
import { EXECUTION_REVERTED_CODE, FRAMING_CODES, requestErrorCode } from './error-codes.js';

/** The `error` member of a response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request that never became a call: bad JSON, a bad envelope, an unknown method or a bad parameter. */
export class FramingError extends TetradError {
  override readonly name = 'FramingError';

  constructor(
    override readonly code: keyof typeof FRAMING_CODES,
    message: string,
    data: ErrorData = {},
  ) {
    super(message, { data });
  }
}

/** A contract reverted in a read-only call; travels as code 3 with the revert bytes. */
export class ExecutionRevertedError extends TetradError {
  override readonly name = 'ExecutionRevertedError';
  override readonly code = 'EXECUTION_REVERTED';

  constructor(
    message: string,
    readonly revertData: Uint8Array,
  ) {
    super(message);
  }
}

/** An error whose code and data an Ethereum standard prescribes; `reason` is the label under which it is counted. */
export class PrescribedError extends TetradError {
  override readonly name = 'PrescribedError';

  constructor(
    message: string,
    readonly prescribed: { readonly code: number; readonly data: string; readonly reason: string },
  ) {
    super(message);
  }

  /** The reason, as errors of every kind have it. */
  get code(): string {
    return this.prescribed.reason;
  }
}

/** An error that another service returned, passed on unchanged. */
export class ForwardedError extends TetradError {
  override readonly name: string = 'ForwardedError';
  override readonly code = 'FORWARDED';

  constructor(readonly error: RpcErrorObject) {
    super(error.message);
  }
}

/** The errors shown to callers, distinguished by `code`. Anything else is a fault. */
export type RpcError =
  ExecutionRevertedError | FramingError | PrescribedError | RequestError | ForwardedError;

const RPC_ERRORS = [ExecutionRevertedError, FramingError, PrescribedError, RequestError, ForwardedError];

function isRpcError(error: unknown): error is RpcError {
  return RPC_ERRORS.some((one) => error instanceof one);
}

/** The wire form of an expected error; undefined for a fault, whose text is never shown. */
export function toErrorObject(error: unknown): RpcErrorObject | undefined {
  if (error instanceof FramingError) {
    const data = Object.keys(error.data).length === 0 ? {} : { data: error.data };
    return { code: FRAMING_CODES[error.code], message: error.message, ...data };
  }
  if (error instanceof RequestError) {
    return {
      code: requestErrorCode(error.code),
      message: error.message,
      data: { ...error.data, reason: error.code },
    };
  }
  if (error instanceof ExecutionRevertedError) {
    return { code: EXECUTION_REVERTED_CODE, message: error.message, data: hexFromBytes(error.revertData) };
  }
  if (error instanceof PrescribedError) {
    const { code, data } = error.prescribed;
    return { code, message: error.message, data };
  }
  return error instanceof ForwardedError ? error.error : undefined;
}

/** Whether work ended because its signal was aborted. */
export function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}

/** The label under which an error is counted. */
export function reasonOf(error: unknown): string {
  if (isRpcError(error)) return error.code;
  return isAbort(error) ? 'ABANDONED' : 'INTERNAL_ERROR';
}
