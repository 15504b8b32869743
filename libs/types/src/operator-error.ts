import { TetradError } from './tetrad-error.js';

/**
 * A condition that the operator can fix: a file that cannot be read, a port that is taken, a database that does not
 * answer. The message is one clear line for the operator, so no stack is shown with it.
 */
export class OperatorError extends TetradError {
  override readonly name: string = 'OperatorError';
  override readonly code: string = 'OPERATOR';
}
