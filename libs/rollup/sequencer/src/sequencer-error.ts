import { TetradError } from '@tetrad/types';

/** The rows contradict each other: a fault of ours, after which nothing more is assembled. */
export class SequencerError extends TetradError {
  override readonly name: string = 'SequencerError';
  override readonly code: string = 'CONTRADICTING_ROWS';
}
