import { TetradError } from '@tetrad/types';

/** Why a transaction cannot be part of a block. */
export type InvalidTransactionCode =
  | 'NONCE_TOO_LOW'
  | 'NONCE_TOO_HIGH'
  | 'NONCE_AT_MAXIMUM'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'GAS_LIMIT_EXCEEDED'
  | 'FEE_CAP_TOO_LOW'
  | 'TIP_ABOVE_FEE_CAP'
  | 'SENDER_NOT_EOA'
  | 'INIT_CODE_TOO_LARGE'
  | 'TRANSACTION_TYPE_NOT_SUPPORTED'
  /** On a GoQuorum network that has not enabled gas prices. */
  | 'GAS_PRICE_NOT_ZERO'
  /** The chain restricts transactions, and the sender may not send this one. */
  | 'NOT_PERMITTED'
  /** The message to trace cannot start. */
  | 'NOT_EXECUTABLE';

/** The transaction cannot be part of the block; the world is as it was. Texts are geth's. */
export class InvalidTransactionError extends TetradError {
  override readonly name = 'InvalidTransactionError';

  constructor(
    readonly code: InvalidTransactionCode,
    message: string,
  ) {
    super(message);
  }
}
