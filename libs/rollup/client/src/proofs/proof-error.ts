import { TetradError } from '@tetrad/types';

/** The operator's answer does not follow from the contract's state; the message names the difference. */
export class ProofError extends TetradError {
  override readonly name = 'ProofError';
  override readonly code = 'INVALID_PROOF';
}
