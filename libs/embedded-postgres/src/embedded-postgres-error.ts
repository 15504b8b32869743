import { OperatorError } from '@tetrad/types';

/** PostgreSQL could not be started from its packages; the message is one line for people. */
export class EmbeddedPostgresError extends OperatorError {
  override readonly name = 'EmbeddedPostgresError';
  override readonly code = 'EMBEDDED_POSTGRES';

  constructor(problem: string) {
    super(`embedded PostgreSQL: ${problem}`);
  }
}
