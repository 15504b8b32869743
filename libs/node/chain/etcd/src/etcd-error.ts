import { TetradError } from '@tetrad/types';

export type EtcdErrorKind =
  /** No endpoint could be reached, or none answered in time. */
  | 'unavailable'
  /** A transaction was sent and its answer did not come: it may have been executed, or may yet be. */
  | 'unknown-outcome'
  /** The cluster has no leader, or is changing it. */
  | 'no-leader'
  /** The revision asked for is older than what etcd keeps. */
  | 'compacted'
  /** etcd's database is full; it takes no writes until an operator frees space. */
  | 'no-space'
  /** The request is larger than etcd takes, or its answer larger than the caller takes. */
  | 'too-large'
  /** User, password, token, or the rights of the user. */
  | 'denied'
  /** The answer is not one that etcd gives. */
  | 'malformed'
  /** etcd understood and refuses; `refusal` says why. */
  | 'rejected';

export interface EtcdErrorOptions extends ErrorOptions {
  /** Whether etcd may have executed the request; default no. */
  readonly mayBeExecuted?: boolean;
  /** The exact text of etcd. */
  readonly refusal?: string | undefined;
}

const MAX_TEXT = 500;

/** A failure of etcd, or of the connection to it. The message is one line for operators. */
export class EtcdError extends TetradError {
  override readonly name = 'EtcdError';
  override readonly code: string = 'ETCD';
  readonly mayBeExecuted: boolean;
  readonly refusal: string | undefined;

  constructor(
    readonly kind: EtcdErrorKind,
    message: string,
    { mayBeExecuted = false, refusal, ...options }: EtcdErrorOptions = {},
  ) {
    super(oneLine(message), { ...options, data: { kind } });
    this.mayBeExecuted = mayBeExecuted;
    this.refusal = refusal;
  }
}

/** Foreign text as one log line: without control characters, and cut to a readable length. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** The message of anything thrown, with the codes of Node.js where the message alone says little. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  // Several addresses of one name that all fail give an AggregateError without a message.
  const message = error.message || error.name;
  return typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message;
}
