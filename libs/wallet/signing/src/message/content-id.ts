import { blake2b256 } from '@tetrad/crypto';
import { cborArray, cborBytes } from '@tetrad/rlp/cbor';
import { CID } from 'multiformats/cid';
import { type CoinSignature, SIGNATURE_TYPE, encodeSignature } from '@tetrad/wallet-key';
import type { CoinMessage } from './coin-message.js';
import { encodeCoinMessage } from './message-codec.js';

/** CIDv1 (0x01) ‖ dag-cbor (0x71) ‖ blake2b-256 (varint 0xb220) ‖ 32. */
const PREFIX = Uint8Array.of(0x01, 0x71, 0xa0, 0xe4, 0x02, 0x20);
const CONTENT_ID_BYTES = PREFIX.length + 32;

/**
 * The content id of CBOR.
 *
 * Layout: prefix 01 71 a0 e4 02 20 (6) ‖ blake2b-256 of the CBOR (32)
 */
export function contentIdOf(cbor: Uint8Array): Uint8Array {
  const id = new Uint8Array(CONTENT_ID_BYTES);
  id.set(PREFIX);
  id.set(blake2b256(cbor), PREFIX.length);
  return id;
}

/** Whether the bytes have the form of a content id of this network; its content cannot be known. */
export function isContentId(bytes: Uint8Array): boolean {
  return bytes.length === CONTENT_ID_BYTES && PREFIX.every((byte, at) => bytes[at] === byte);
}

/** `b` and lower-case base32. */
export function formatContentId(id: Uint8Array): string {
  return CID.decode(id).toString();
}

/**
 * The content id of a message.
 * @throws CoinMessageError (FIELD_OUT_OF_RANGE)
 */
export function messageContentId(message: CoinMessage): Uint8Array {
  return contentIdOf(encodeCoinMessage(message));
}

/**
 * The content id of a message with its signature. With BLS, whose signatures are aggregated away, it is that of the
 * message alone; otherwise that of
 *
 * Layout: array(2) = 0x82 (1) ‖ message ‖ bytes(type (1) ‖ signature)
 */
export function signedMessageContentId(message: CoinMessage, signature: CoinSignature): Uint8Array {
  if (signature.type === SIGNATURE_TYPE.bls) return messageContentId(message);
  return contentIdOf(cborArray([encodeCoinMessage(message), cborBytes(encodeSignature(signature))]));
}
