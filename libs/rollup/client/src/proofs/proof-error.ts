import { TetradError } from '@tetrad/types';

/** What the operator says does not follow from what the contract says; the message tells what differs. */
export class ProofError extends TetradError {
  override readonly name = 'ProofError';
  override readonly code = 'INVALID_PROOF';
}
