import type { ByteArray, Hex } from 'viem';
import { InvalidCoinMessageError } from '../errors/coin-errors.js';
import type { ResultOf } from '../wire/method-types.js';
import type { MessageParameter } from '../wire/methods.js';
import { fromBase64, toBase64 } from './base64.js';

/** An address of a coin network as text, such as `f1…`, `f3…` or `f410f…`. */
export type CoinAddress = string;

/** A message of a coin network: what an account does there, as a transaction does on Ethereum. */
export interface CoinMessage {
  /** 0 when absent. */
  readonly version?: number | undefined;
  readonly to: CoinAddress;
  readonly from: CoinAddress;
  readonly nonce: number;
  /** In attocoins. */
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** In attocoins for each unit of gas. */
  readonly gasFeeCap: bigint;
  readonly gasPremium: bigint;
  /** Number of the actor's method; 0 sends coins alone. */
  readonly method: number;
  /** Parameters of the method, in CBOR. */
  readonly params?: ByteArray | Hex | undefined;
}

/**
 * The message in its form on the wire.
 *
 * @throws InvalidCoinMessageError that names the member
 */
export function messageMembers(message: CoinMessage): MessageParameter {
  const { version, to, from, params } = message;
  return {
    ...(version === undefined ? {} : { Version: wholeNumber('version', version) }),
    To: to,
    From: from,
    Nonce: wholeNumber('nonce', message.nonce),
    Value: amount('value', message.value),
    GasLimit: wholeNumber('gasLimit', message.gasLimit),
    GasFeeCap: amount('gasFeeCap', message.gasFeeCap),
    GasPremium: amount('gasPremium', message.gasPremium),
    Method: wholeNumber('method', message.method),
    ...(params === undefined ? {} : { Params: toBase64(params) }),
  };
}

/** The message of an answer. */
export function messageOf(wire: ResultOf<'Coin.WalletSignMessage'>['Message']): CoinMessage {
  const { Version, To: to, From: from, Params } = wire;
  return {
    ...(Version === undefined ? {} : { version: Number(Version) }),
    to,
    from,
    nonce: Number(wire.Nonce),
    value: BigInt(wire.Value),
    gasLimit: BigInt(wire.GasLimit),
    gasFeeCap: BigInt(wire.GasFeeCap),
    gasPremium: BigInt(wire.GasPremium),
    method: Number(wire.Method),
    ...(typeof Params === 'string' ? { params: fromBase64(Params) } : {}),
  };
}

/** JSON numbers beyond these lose digits in JavaScript, and what is signed would be another message. */
function wholeNumber(field: string, value: number | bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new InvalidCoinMessageError({ field, problem: 'must be a whole number from 0 to 2^53 - 1' });
  return number;
}

function amount(field: string, value: bigint): string {
  if (typeof value !== 'bigint' || value < 0n)
    throw new InvalidCoinMessageError({ field, problem: 'must be a bigint that is not negative' });
  return value.toString();
}
