/** Why bytes are not a transaction of this chain; `reason` is stable, the message names the field. */
export class TransactionDecodeError extends Error {
  override readonly name = 'TransactionDecodeError';

  constructor(
    readonly reason:
      'MALFORMED_TRANSACTION' | 'UNSUPPORTED_TRANSACTION_TYPE' | 'INVALID_CHAIN_ID' | 'INVALID_SIGNATURE',
    message: string,
  ) {
    super(message);
  }
}
