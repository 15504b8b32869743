import type { Methods } from '../wire/method-types.js';
import type { ErrorReason } from '../wire/methods.js';
import { ERRORS_PAGE } from './documentation.js';
import { ExplainedError } from './explained-error.js';

/** What a service says of a rejection, in `error.data`. */
interface Rejection {
  readonly reason: string;
  /** The parameter that is wrong. */
  readonly field?: string | undefined;
}

export type TetradRequestErrorType = TetradRequestError & { name: 'TetradRequestError' };

/** A request that a rule of the service rejects. Texts may change; `reason` stays. */
export class TetradRequestError extends ExplainedError {
  override name = 'TetradRequestError';
  readonly method: string;
  /** Stable: one of `docs/reference/errors.md`. */
  readonly reason: ErrorReason;
  readonly field: string | undefined;
  readonly code: number | undefined;

  constructor({
    cause,
    method,
    reason,
    field,
    code,
    text,
  }: Rejection & { cause: Error; method: string; code: number | undefined; text: string }) {
    super(`"${method}" was rejected: ${text}.`, {
      cause,
      metaMessages: [`Reason: ${reason}`, ...(field === undefined ? [] : [`Field:  ${field}`])],
      ...ERRORS_PAGE,
      name: 'TetradRequestError',
    });
    this.method = method;
    this.reason = reason as ErrorReason;
    this.field = field;
    this.code = code;
  }
}

/** A rejection with a reason that the method declares. */
export type RejectionOf<Method extends keyof Methods> = TetradRequestError & {
  readonly reason: Methods[Method]['Reasons'];
};

/** The rejection with its reason; other failures, such as a lost connection or a revert, are viem's own. */
export function asRequestError(error: unknown, method: string): unknown {
  const found = errorsOf(error).find((one) => rejectionIn(one) !== undefined);
  if (found === undefined) return error;
  const { code, message, details } = found as { code?: unknown; message: string; details?: unknown };
  return new TetradRequestError({
    cause: error as Error,
    method,
    code: typeof code === 'number' ? code : undefined,
    text: (typeof details === 'string' ? details : message).replace(/\.$/, ''),
    ...(rejectionIn(found) as Rejection),
  });
}

/** The reason with which a rule rejected the request; undefined for other failures. */
export function reasonOf(error: unknown): ErrorReason | undefined {
  const reasons = errorsOf(error).map((one) =>
    one instanceof TetradRequestError ? one.reason : rejectionIn(one)?.reason,
  );
  return reasons.find((reason) => reason !== undefined) as ErrorReason | undefined;
}

/** The JSON-RPC codes of the error and of its causes. */
export function codesOf(error: unknown): readonly unknown[] {
  return errorsOf(error).map((one) => (one as { readonly code?: unknown }).code);
}

/** The bytes that an execution returned when it reverted; undefined for other failures. */
export function revertDataOf(error: unknown): `0x${string}` | undefined {
  const reverted = errorsOf(error).find((one) => (one as { readonly code?: unknown }).code === REVERTED);
  const { data } = (reverted ?? {}) as { readonly data?: unknown };
  return typeof data === 'string' && data.startsWith('0x') ? (data as `0x${string}`) : undefined;
}

/** Code of an execution that reverted. */
const REVERTED = 3;

/** The error and its causes, the outermost first; causes that go round end after some. */
function errorsOf(error: unknown): Error[] {
  const found: Error[] = [];
  for (let one = error; one instanceof Error && found.length < 16; one = one.cause) found.push(one);
  return found;
}

function rejectionIn(error: Error): Rejection | undefined {
  const { data } = error as { readonly data?: unknown };
  if (typeof data !== 'object' || data === null || !('reason' in data)) return undefined;
  const { reason, field } = data as { readonly reason: unknown; readonly field?: unknown };
  if (typeof reason !== 'string') return undefined;
  return { reason, field: typeof field === 'string' ? field : undefined };
}
