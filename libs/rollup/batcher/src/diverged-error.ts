import { TetradError } from '@tetrad/types';

/** The contract has another state than the rows: nothing is submitted until the follower has read why. */
export class DivergedError extends TetradError {
  override readonly name = 'DivergedError';
  override readonly code = 'DIVERGED_FROM_CONTRACT';
}
