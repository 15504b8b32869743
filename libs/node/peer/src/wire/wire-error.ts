import { TetradError } from '@tetrad/types';

/** Bytes of a peer that violate the protocol; the message names the field. */
export class WireError extends TetradError {
  override readonly name = 'WireError';
  override readonly code = 'MALFORMED_PEER_MESSAGE';
}
