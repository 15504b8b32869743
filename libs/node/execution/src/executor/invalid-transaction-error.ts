export type InvalidTransactionReason =
  | 'NONCE_TOO_LOW'
  | 'NONCE_TOO_HIGH'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'GAS_LIMIT_EXCEEDED'
  | 'FEE_CAP_TOO_LOW'
  | 'SENDER_NOT_EOA'
  | 'INIT_CODE_TOO_LARGE'
  | 'TRANSACTION_TYPE_NOT_SUPPORTED'
  /** The EVM refuses it for a reason that has no name here. */
  | 'NOT_EXECUTABLE';

/** The transaction cannot be part of the block; the world is as it was. Texts are geth's. */
export class InvalidTransactionError extends Error {
  override readonly name = 'InvalidTransactionError';

  constructor(
    readonly reason: InvalidTransactionReason,
    message: string,
  ) {
    super(message);
  }
}
