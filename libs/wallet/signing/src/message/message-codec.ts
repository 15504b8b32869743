import { RequestError } from '@tetrad/types';
import { coinAddressFromBytes, type CoinAddress } from '@tetrad/wallet-key';
import { decodeBigInteger, encodeBigInteger } from './big-integer.js';
import { CborReader, MAJOR, encodeHead, encodeInteger } from './cbor.js';
import { MAX_BIG_INTEGER_BYTES, MAX_PARAMS_BYTES, assertInRange, type CoinMessage } from './coin-message.js';
import { CoinMessageError, type MessageField } from './message-error.js';

const FIELDS = 10n;
/** Bytes of the longest address. */
const MAX_ADDRESS_BYTES = 64;

/**
 * The CBOR of a message, whose hash is what senders sign.
 *
 * Layout: array(10) = 0x8a (1)
 *   ‖ version uint (1..9) ‖ to bytes (1..2 + 2..64) ‖ from bytes (1..2 + 2..64) ‖ nonce uint (1..9)
 *   ‖ value bytes (1..2 + 0..128) ‖ gasLimit int (1..9) ‖ gasFeeCap bytes (1..2 + 0..128)
 *   ‖ gasPremium bytes (1..2 + 0..128) ‖ method uint (1..9) ‖ params bytes (1..5 + 0..2 MiB)
 * with addresses as protocol ‖ payload, and big integers as in `encodeBigInteger`.
 *
 * Fails:  CoinMessageError (FIELD_OUT_OF_RANGE)
 * Source: lotus, chain/types/cbor_gen.go
 */
export function encodeCoinMessage(message: CoinMessage): Uint8Array {
  assertInRange(message);
  return Buffer.concat([
    encodeHead(MAJOR.array, FIELDS),
    encodeInteger(message.version),
    ...byteString(message.to.toBytes()),
    ...byteString(message.from.toBytes()),
    encodeInteger(message.nonce),
    ...byteString(encodeBigInteger(message.value)),
    encodeInteger(message.gasLimit),
    ...byteString(encodeBigInteger(message.gasFeeCap)),
    ...byteString(encodeBigInteger(message.gasPremium)),
    encodeInteger(message.method),
    ...byteString(message.params),
  ]);
}

/**
 * Reads back what `encodeCoinMessage` writes, and nothing else: no longer heads, no bytes behind the last field.
 *
 * Fails: CoinMessageError (MALFORMED_MESSAGE), naming the field
 */
export function decodeCoinMessage(bytes: Uint8Array): CoinMessage {
  const reader = new CborReader(bytes);
  if (reader.array(FIELDS) === undefined) throw malformed('a message is a CBOR array of ten fields');
  const message: CoinMessage = {
    version: field('Version', reader.uint()),
    to: addressField('To', reader),
    from: addressField('From', reader),
    nonce: field('Nonce', reader.uint()),
    value: bigIntegerField('Value', reader),
    gasLimit: field('GasLimit', reader.int64()),
    gasFeeCap: bigIntegerField('GasFeeCap', reader),
    gasPremium: bigIntegerField('GasPremium', reader),
    method: field('Method', reader.uint()),
    params: field('Params', reader.byteString(MAX_PARAMS_BYTES)),
  };
  if (reader.left > 0) throw malformed(`${reader.left} bytes follow the message`);
  return message;
}

function byteString(content: Uint8Array): readonly Uint8Array[] {
  return [encodeHead(MAJOR.bytes, BigInt(content.length)), content];
}

function bigIntegerField(name: MessageField, reader: CborReader): bigint {
  return field(name, decodeBigInteger(field(name, reader.byteString(MAX_BIG_INTEGER_BYTES))));
}

function addressField(name: MessageField, reader: CborReader): CoinAddress {
  const bytes = field(name, reader.byteString(MAX_ADDRESS_BYTES));
  try {
    return coinAddressFromBytes(bytes);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw malformed(`'${name}' field: ${String(error.data.detail)}`, name);
  }
}

function field<Value>(name: MessageField, value: Value | undefined): Value {
  if (value === undefined) throw malformed(`'${name}' field is not in its canonical form`, name);
  return value;
}

function malformed(message: string, name?: MessageField): CoinMessageError {
  return new CoinMessageError('MALFORMED_MESSAGE', message, name);
}
