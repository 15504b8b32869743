import type { ByteArray, Client, Hex } from 'viem';
import type { InvalidCoinMessageError } from '../errors/coin-errors.js';
import type { RejectionOf } from '../errors/request-error.js';
import { callMethod, callOnce } from '../wire/call-method.js';
import { toBase64 } from './base64.js';
import { messageMembers, messageOf, type CoinAddress, type CoinMessage } from './coin-message.js';
import { signatureMembers, signatureOf, type CoinSignature } from './coin-signature.js';

export interface WalletSignParameters {
  /** Whose key signs. */
  readonly address: CoinAddress;
  /** The data itself, not its hash. */
  readonly data: ByteArray | Hex;
  /** What the data is. Of a message, `extra` is its CBOR, and the data its content id. */
  readonly meta?:
    | {
        readonly type: 'message' | 'block' | 'dealproposal' | 'unknown';
        readonly extra?: ByteArray | Hex | undefined;
      }
    | undefined;
}

export type WalletSignErrorType = RejectionOf<'Coin.WalletSign'>;

/**
 * Signs data with a key of the wallet.
 *
 * @param client - client of the wallet
 * @param parameters - what is signed, and with whose key
 * @throws TetradRequestError for an address whose key the wallet does not hold, and for data that it does not sign
 *
 * @example
 * const { type, data } = await walletSign(client, { address, data: '0x0102' })
 */
export async function walletSign(
  client: Client,
  { address, data, meta }: WalletSignParameters,
): Promise<CoinSignature> {
  const named = meta && {
    Type: meta.type,
    ...(meta.extra === undefined ? {} : { Extra: toBase64(meta.extra) }),
  };
  return signatureOf(await callOnce(client, 'Coin.WalletSign', address, toBase64(data), named));
}

export interface WalletSignMessageParameters {
  /** Whose key signs; the sender of the message by default. */
  readonly address?: CoinAddress | undefined;
  readonly message: CoinMessage;
}

/** A message with the signature that a node of the coin network asks for. */
export interface SignedCoinMessage {
  readonly message: CoinMessage;
  readonly signature: CoinSignature;
}

export type WalletSignMessageErrorType = InvalidCoinMessageError | RejectionOf<'Coin.WalletSignMessage'>;

/**
 * Signs a message with a key of the wallet.
 *
 * @param client - client of the wallet
 * @param parameters - the message, and with whose key
 * @throws InvalidCoinMessageError that names the member, before anything is sent
 * @throws TetradRequestError for an address whose key the wallet does not hold, and for messages that it does not sign
 */
export async function walletSignMessage(
  client: Client,
  { message, address = message.from }: WalletSignMessageParameters,
): Promise<SignedCoinMessage> {
  const signed = await callOnce(client, 'Coin.WalletSignMessage', address, messageMembers(message));
  return { message: messageOf(signed.Message), signature: signatureOf(signed.Signature) };
}

export interface WalletVerifyParameters {
  readonly address: CoinAddress;
  /** The data itself, not its hash. */
  readonly data: ByteArray | Hex;
  readonly signature: CoinSignature;
}

export type WalletVerifyErrorType = RejectionOf<'Coin.WalletVerify'>;

/**
 * Whether a signature of data is by the key of an address, which the wallet need not hold.
 *
 * @param client - client of the wallet
 * @param parameters - the signature, its data, and whose it would be
 */
export function walletVerify(
  client: Client,
  { address, data, signature }: WalletVerifyParameters,
): Promise<boolean> {
  return callMethod(client, 'Coin.WalletVerify', address, toBase64(data), signatureMembers(signature));
}
