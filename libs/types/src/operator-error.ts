import { TetradError } from './tetrad-error.js';

/**
 * A condition that the people who run the service can mend: a file that cannot be read, a port that is taken,
 * a database that does not answer. The message is one clear line for them, so no stack is shown with it.
 */
export class OperatorError extends TetradError {
  override readonly name: string = 'OperatorError';
  override readonly code: string = 'OPERATOR';
}
