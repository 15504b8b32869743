import { TetradError } from '@tetrad/types';

/** Something cannot be signed with the key given; the message says why and never holds anything of the key. */
export class SigningError extends TetradError {
  override readonly name = 'SigningError';

  constructor(
    override readonly code: 'INVALID_KEY' | 'DATA_TOO_LONG' | 'POOL_FULL' | 'POOL_CLOSED',
    message: string,
  ) {
    super(message);
  }
}
