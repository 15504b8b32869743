import type { CoinAddress } from '@tetrad/wallet-key';
import { CoinMessageError, type MessageField } from './message-error.js';

/** An unsigned message of the coin network. */
export interface CoinMessage {
  /** 0 on chain; 64 bits, unsigned. */
  readonly version: bigint;
  readonly to: CoinAddress;
  readonly from: CoinAddress;
  /** 64 bits, unsigned. */
  readonly nonce: bigint;
  /** In the smallest unit, 10^-18 of a coin; negative by form, never on chain. */
  readonly value: bigint;
  /** 64 bits, signed. */
  readonly gasLimit: bigint;
  /** Per unit of gas, in the smallest unit. */
  readonly gasFeeCap: bigint;
  /** Per unit of gas, in the smallest unit. */
  readonly gasPremium: bigint;
  /** 64 bits, unsigned. */
  readonly method: bigint;
  readonly params: Uint8Array;
}

/** Bytes that parameters may have: 2 MiB. Source: cbor-gen, ByteArrayMaxLen. */
export const MAX_PARAMS_BYTES = 2 ** 21;
/** Bytes that a big integer may have, its sign byte included. Source: go-state-types, BigIntMaxSerializedLen. */
export const MAX_BIG_INTEGER_BYTES = 128;

const UINT64_LIMIT = 2n ** 64n;
const INT64_LIMIT = 2n ** 63n;
const MAGNITUDE_LIMIT = 2n ** BigInt(8 * (MAX_BIG_INTEGER_BYTES - 1));

/** @throws CoinMessageError (FIELD_OUT_OF_RANGE) at the first field, in JSON's order, that cannot be encoded */
export function assertInRange(message: CoinMessage): void {
  assertUint64('Version', message.version);
  assertUint64('Nonce', message.nonce);
  assertBigInteger('Value', message.value);
  if (message.gasLimit < -INT64_LIMIT || message.gasLimit >= INT64_LIMIT) {
    throw outOfRange('GasLimit', 'must be from -2^63 to 2^63 - 1');
  }
  assertBigInteger('GasFeeCap', message.gasFeeCap);
  assertBigInteger('GasPremium', message.gasPremium);
  assertUint64('Method', message.method);
  if (message.params.length > MAX_PARAMS_BYTES) {
    throw outOfRange('Params', `must have at most ${MAX_PARAMS_BYTES} bytes`);
  }
}

function assertUint64(field: MessageField, value: bigint): void {
  if (value < 0n || value >= UINT64_LIMIT) throw outOfRange(field, 'must be from 0 to 2^64 - 1');
}

function assertBigInteger(field: MessageField, value: bigint): void {
  if (value <= -MAGNITUDE_LIMIT || value >= MAGNITUDE_LIMIT) {
    throw outOfRange(field, `must fit into ${MAX_BIG_INTEGER_BYTES - 1} bytes and a sign`);
  }
}

function outOfRange(field: MessageField, rule: string): CoinMessageError {
  return new CoinMessageError('FIELD_OUT_OF_RANGE', `'${field}' field ${rule}`, field);
}
