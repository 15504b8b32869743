import { OperatorError } from '@tetrad/types';

/** The database cannot be reached, or the connection was lost; the request may be retried. */
export class DatabaseUnavailableError extends OperatorError {
  override readonly name = 'DatabaseUnavailableError';
  override readonly code = 'DATABASE_UNAVAILABLE';
}

/** No server of the URL accepts writes, though at least one answers: it may be promoted soon. */
export class NoPrimaryError extends DatabaseUnavailableError {}

/** SQLSTATE classes 08 (connection), 53 (resources) and 57P (operator intervention); 25006 is a write on a standby. */
const UNAVAILABLE_STATES = /^(08|53|57P|25006)/;

/** Errors of the driver, which have no code, and one of the server whose code has many other causes too. */
const UNAVAILABLE_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)|is not currently accepting connections$/;

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether the connection, and not the statement, caused the error. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string' && (UNAVAILABLE_STATES.test(code) || SOCKET_ERRORS.has(code))) return true;
  return typeof message === 'string' && UNAVAILABLE_TEXTS.test(message);
}

/** How the message of a DatabaseUnavailableError begins. */
export const UNAVAILABLE = 'database unavailable: ';

export function asUnavailable(error: unknown): Error {
  if (error instanceof DatabaseUnavailableError) return error;
  return new DatabaseUnavailableError(`${UNAVAILABLE}${reasonOf(error)}`);
}

export function reasonOf(error: unknown): string {
  // Several addresses were tried (localhost): the first failure is enough for the message.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
