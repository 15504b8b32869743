import { TetradError } from '@tetrad/types';

/** Bytes that are not RLP in its shortest form, or not the expected RLP; the message says how. */
export class RlpError extends TetradError {
  override readonly name = 'RlpError';
  override readonly code = 'MALFORMED_RLP';
}
