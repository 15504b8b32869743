import { RlpFields } from '@tetrad/rlp';
import { TetradError } from '@tetrad/types';

/** Bytes of a peer that are not what the protocol says; the message names the field. */
export class WireError extends TetradError {
  override readonly name = 'WireError';
  override readonly code = 'MALFORMED_PEER_MESSAGE';
}

/** The fields of the list that a peer's bytes are; every field fails with a WireError. */
export function wireFields(bytes: Uint8Array, what: string): RlpFields {
  return RlpFields.of(bytes, what, (message) => new WireError(message));
}
