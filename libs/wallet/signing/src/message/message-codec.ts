import { CborReader, cborArray, cborBytes, cborInteger } from '@tetrad/rlp/cbor';
import { RequestError } from '@tetrad/types';
import { coinAddressFromBytes, type CoinAddress } from '@tetrad/wallet-key';
import { decodeBigInteger, encodeBigInteger } from './big-integer.js';
import { MAX_BIG_INTEGER_BYTES, MAX_PARAMS_BYTES, assertInRange, type CoinMessage } from './coin-message.js';
import { CoinMessageError, type MessageField } from './message-error.js';

const FIELDS = 10;
/** Under this name the reader reports the head of the array. */
const MESSAGE = 'message';
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
 * Source: lotus, chain/types/cbor_gen.go
 *
 * @throws CoinMessageError (FIELD_OUT_OF_RANGE)
 */
export function encodeCoinMessage(message: CoinMessage): Uint8Array {
  assertInRange(message);
  return cborArray([
    cborInteger(message.version),
    cborBytes(message.to.toBytes()),
    cborBytes(message.from.toBytes()),
    cborInteger(message.nonce),
    cborBytes(encodeBigInteger(message.value)),
    cborInteger(message.gasLimit),
    cborBytes(encodeBigInteger(message.gasFeeCap)),
    cborBytes(encodeBigInteger(message.gasPremium)),
    cborInteger(message.method),
    cborBytes(message.params),
  ]);
}

/**
 * Reads back what `encodeCoinMessage` writes, and nothing else: no longer heads, no bytes behind the last field.
 * @throws CoinMessageError (MALFORMED_MESSAGE), naming the field
 */
export function decodeCoinMessage(bytes: Uint8Array): CoinMessage {
  const reader = new CborReader(bytes, { fault, canonical: true });
  if (reader.array(MESSAGE, FIELDS) !== FIELDS) throw notAMessage();
  const message: CoinMessage = {
    version: reader.uint('Version'),
    to: addressField('To', reader),
    from: addressField('From', reader),
    nonce: reader.uint('Nonce'),
    value: bigIntegerField('Value', reader),
    gasLimit: reader.int64('GasLimit'),
    gasFeeCap: bigIntegerField('GasFeeCap', reader),
    gasPremium: bigIntegerField('GasPremium', reader),
    method: reader.uint('Method'),
    params: reader.bytes('Params', MAX_PARAMS_BYTES),
  };
  if (reader.left > 0) throw malformed(`${reader.left} bytes follow the message`);
  return message;
}

function bigIntegerField(name: MessageField, reader: CborReader): bigint {
  const value = decodeBigInteger(reader.bytes(name, MAX_BIG_INTEGER_BYTES));
  if (value === undefined) throw notCanonical(name);
  return value;
}

function addressField(name: MessageField, reader: CborReader): CoinAddress {
  const bytes = reader.bytes(name, MAX_ADDRESS_BYTES);
  try {
    return coinAddressFromBytes(bytes);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw malformed(`'${name}' field: ${String(error.data.detail)}`, name);
  }
}

/** @param name - what was read: the message itself or a field of it */
function fault(_problem: string, name: string): CoinMessageError {
  return name === MESSAGE ? notAMessage() : notCanonical(name as MessageField);
}

function notAMessage(): CoinMessageError {
  return malformed('a message is a CBOR array of ten fields');
}

function notCanonical(name: MessageField): CoinMessageError {
  return malformed(`'${name}' field is not in its canonical form`, name);
}

function malformed(message: string, name?: MessageField): CoinMessageError {
  return new CoinMessageError('MALFORMED_MESSAGE', message, name);
}
