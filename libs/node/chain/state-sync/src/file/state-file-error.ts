import { TetradError } from '@tetrad/types';

/** A file of a state is not one, is of another chain, is not whole, or has something false in it. */
export class StateFileError extends TetradError {
  override readonly name = 'StateFileError';
  override readonly code = 'STATE_FILE';
}
