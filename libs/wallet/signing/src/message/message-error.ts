import { TetradError } from '@tetrad/types';

/** Fields of a message, as JSON spells them. */
export type MessageField =
  | 'Version'
  | 'To'
  | 'From'
  | 'Nonce'
  | 'Value'
  | 'GasLimit'
  | 'GasFeeCap'
  | 'GasPremium'
  | 'Method'
  | 'Params';

export type MessageFault =
  /** Bytes that are not the canonical CBOR of a message. */
  | 'MALFORMED_MESSAGE'
  /** A field that its encoding has no room for. */
  | 'FIELD_OUT_OF_RANGE'
  /** A message of a delegated sender that corresponds to no Ethereum transaction. */
  | 'NOT_AN_ETH_MESSAGE';

/** Why a message cannot be read, encoded or signed; `code` is stable, the message names the field. */
export class CoinMessageError extends TetradError {
  override readonly name = 'CoinMessageError';

  constructor(
    override readonly code: MessageFault,
    message: string,
    readonly field?: MessageField,
  ) {
    super(message, field === undefined ? {} : { data: { field } });
  }
}
