import { TetradError } from '@tetrad/types';

/** The rows contradict each other: a fault of ours, after which nothing more is assembled. */
export class SequencerError extends TetradError {
  override readonly name: string = 'SequencerError';
  override readonly code: string = 'CONTRADICTING_ROWS';
}

/** A batch of another submitter does not follow the state known here; the message says what is missing. */
export class UnreadableBatchError extends SequencerError {
  override readonly name = 'UnreadableBatchError';
}
