import { RlpFields } from '@tetrad/rlp';
import { WireError } from './wire-error.js';

/** The fields of the list that a peer's bytes are; every field fails with a WireError. */
export function wireFields(bytes: Uint8Array, what: string): RlpFields {
  return RlpFields.of(bytes, what, (message) => new WireError(message));
}
