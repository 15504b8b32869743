import { TetradError } from '@tetrad/types';

/** A genesis file that cannot be used; the message names the field. */
export class GenesisError extends TetradError {
  override readonly name = 'GenesisError';
  override readonly code = 'INVALID_GENESIS';
}
