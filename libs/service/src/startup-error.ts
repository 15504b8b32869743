import { OperatorError } from '@tetrad/types';

/** The service cannot start as it was asked to; the process ends with code 1. */
export class StartupError extends OperatorError {
  override readonly name = 'StartupError';
  override readonly code = 'STARTUP';
}

/** A flag, environment variable or configuration key is unknown or has a bad value; the process ends with code 2. */
export class OptionError extends OperatorError {
  override readonly name = 'OptionError';
  override readonly code = 'INVALID_OPTION';

  constructor(
    /** How the operator wrote the option: `--http-listen-port`, `TETRAD_NODE_…`, or the key in the file. */
    readonly key: string,
    problem: string,
  ) {
    super(`${key}: ${problem}`);
  }
}

/** One line about an error of the operating system or of a library, for messages to the operator. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return (typeof message === 'string' ? message : String(error)).split('\n')[0] ?? '';
}
