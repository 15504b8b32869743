import { TetradError } from '@tetrad/types';

/** Bytes from a peer that are not a consensus message; the text names the field. */
export class MessageError extends TetradError {
  override readonly name = 'MessageError';
  override readonly code = 'MALFORMED_CONSENSUS_MESSAGE';
}
