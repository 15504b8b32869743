import type { CoinMessage as WireMessage } from '@tetrad/api-wallet';
import { RequestError } from '@tetrad/types';
import { parseCoinAddress, type CoinAddress } from '@tetrad/wallet-key';
import type { CoinMessage } from '@tetrad/wallet-signing';

/**
 * The message of a request.
 * @throws RequestError INVALID_COIN_ADDRESS naming the field
 */
export function readMessage(wire: WireMessage): CoinMessage {
  return {
    version: wire.Version ?? 0n,
    to: readAddressField('To', wire.To),
    from: readAddressField('From', wire.From),
    nonce: wire.Nonce,
    value: wire.Value,
    gasLimit: wire.GasLimit,
    gasFeeCap: wire.GasFeeCap,
    gasPremium: wire.GasPremium,
    method: wire.Method,
    params: wire.Params ?? new Uint8Array(0),
  };
}

function readAddressField(field: 'To' | 'From', text: string): CoinAddress {
  try {
    return parseCoinAddress(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(error.code, `'${field}' field: ${error.message}`, {
      ...error.data,
      field: `message.${field}`,
    });
  }
}
