import { TetradError } from '@tetrad/types';

/** No connected peer has the state that is taken: a later one must be taken instead. */
export class TargetLostError extends TetradError {
  override readonly name = 'TargetLostError';
  override readonly code = 'STATE_TARGET_LOST';
}
