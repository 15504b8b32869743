import { TetradError } from '@tetrad/types';

/**
 * Why a peer did not give a part of a state:
 *
 * `unavailable` it is busy, late or gone; `missing` it does not have the state, or no longer; `false` what it gave is not part of
 * the state, which no honest peer does.
 */
export type SourceFault = 'unavailable' | 'missing' | 'false';

/** A peer did not give a part of a state; another one may. */
export class SourceError extends TetradError {
  override readonly name = 'SourceError';
  override readonly code = 'STATE_SOURCE';

  constructor(
    readonly fault: SourceFault,
    message: string,
  ) {
    super(message);
  }
}
