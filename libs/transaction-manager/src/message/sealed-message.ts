import type { Enclave } from '../enclave/enclave.js';
import { NONCE_BYTES, TAG_BYTES } from '../enclave/secretbox.js';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { isKind, MAX_MESSAGE_BYTES, type MessagePair, type OrderedMessage } from './party-message.js';

/** So that nothing else that is sealed between two keys is ever taken for a message. */
const PURPOSE = Buffer.from('tetrad party message 1\n');
const ORDER_BYTES = 8;
const MAX_KIND = 32;

/** Bytes of a sealed message beside its body, at most. */
export const SEAL_BYTES =
  4 * KEY_BYTES + NONCE_BYTES + TAG_BYTES + PURPOSE.length + ORDER_BYTES + 1 + MAX_KIND;

/** Bytes of the longest sealed message. */
export const MAX_SEALED_BYTES = SEAL_BYTES + MAX_MESSAGE_BYTES;

/**
 * A message as it goes to another manager: who may read it, who wrote it and for whom cannot be changed on the way.
 *
 * Layout: from (32) | to (32) | nonce (24) | box between both of:
 *         purpose (23) | from (32) | to (32) | order (8) | length of the kind (1) | kind (1 to 32) | body (0 to 65,536)
 *
 * @throws InvalidPublicKeyError
 */
export function sealMessage(message: OrderedMessage, enclave: Enclave): Uint8Array {
  const { from, to, order, kind, body } = message;
  const number = Buffer.alloc(ORDER_BYTES);
  number.writeBigUInt64BE(order);
  const head = Buffer.concat([keyToBytes(from), keyToBytes(to)]);
  const text = Buffer.from(kind, 'ascii');
  const plain = Buffer.concat([PURPOSE, head, number, Buffer.of(text.length), text, body]);
  return Buffer.concat([head, enclave.sealBetween(from, to, plain)]);
}

/** @returns undefined for bytes that are too short */
export function endsOf(sealed: Uint8Array): MessagePair | undefined {
  if (sealed.length < 2 * KEY_BYTES) return undefined;
  return {
    from: keyFromBytes(sealed.subarray(0, KEY_BYTES)),
    to: keyFromBytes(sealed.subarray(KEY_BYTES, 2 * KEY_BYTES)),
  };
}

/**
 * Opens a message for a key of ours.
 * @returns undefined for anything that the sender did not seal for this key as a message
 * @throws UnknownKeyError, InvalidPublicKeyError
 */
export function openMessage(
  sealed: Uint8Array,
  { from, to }: MessagePair,
  enclave: Enclave,
): OrderedMessage | undefined {
  const opened = enclave.openBetween(to, from, sealed.subarray(2 * KEY_BYTES));
  if (opened === undefined) return undefined;
  const plain = Buffer.from(opened);
  const head = Buffer.concat([PURPOSE, keyToBytes(from), keyToBytes(to)]);
  const kindAt = head.length + ORDER_BYTES + 1;
  if (plain.length < kindAt || !plain.subarray(0, head.length).equals(head)) return undefined;
  const bodyAt = kindAt + plain.readUInt8(kindAt - 1);
  const kind = plain.subarray(kindAt, bodyAt).toString('latin1');
  const order = plain.readBigUInt64BE(head.length);
  const body = plain.subarray(bodyAt);
  const fits = plain.length >= bodyAt && body.length <= MAX_MESSAGE_BYTES && order <= MAX_ORDER;
  return fits && isKind(kind) ? { from, to, order, kind, body } : undefined;
}

/** What a column of 8 signed bytes holds. */
const MAX_ORDER = 2n ** 63n - 1n;
