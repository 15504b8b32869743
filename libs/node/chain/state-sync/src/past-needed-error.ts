import { OperatorError } from '@tetrad/types';

/** Blocks have to be executed that a joining by state would leave out. */
export class PastNeededError extends OperatorError {
  override readonly name = 'PastNeededError';
  override readonly code = 'PAST_NEEDED';
}
