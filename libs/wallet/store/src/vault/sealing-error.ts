import { OperatorError } from '@tetrad/types';

/** The keys cannot be opened; the message says why and names no secret. */
export class SealingError extends OperatorError {
  override readonly name: string = 'SealingError';
  override readonly code: 'SEALING' | 'DAMAGED_KEY' = 'SEALING';
}

/** A sealed key that does not open: its row was changed by somebody else, or belongs to another address. */
export class DamagedKeyError extends SealingError {
  override readonly name = 'DamagedKeyError';
  override readonly code = 'DAMAGED_KEY';
}
