import { TetradError } from '@tetrad/types';

/** Why a key cannot be read, made or written. The message is in the words of the field and never holds key material. */
export class CoinKeyError extends TetradError {
  override readonly name = 'CoinKeyError';

  constructor(
    override readonly code:
      | 'INVALID_PRIVATE_KEY'
      | 'UNSUPPORTED_KEY_TYPE'
      | 'MALFORMED_KEY_FILE'
      | 'INVALID_PHRASE'
      | 'INVALID_PATH'
      | 'NOT_DERIVABLE',
    message: string,
  ) {
    super(message);
  }
}
