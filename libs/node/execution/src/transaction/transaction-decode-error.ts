import { TetradError } from '@tetrad/types';

/** Why bytes are not a transaction of this chain; `code` is stable, the message names the field. */
export class TransactionDecodeError extends TetradError {
  override readonly name = 'TransactionDecodeError';

  constructor(
    override readonly code:
      'MALFORMED_TRANSACTION' | 'UNSUPPORTED_TRANSACTION_TYPE' | 'INVALID_CHAIN_ID' | 'INVALID_SIGNATURE',
    message: string,
  ) {
    super(message);
  }
}
