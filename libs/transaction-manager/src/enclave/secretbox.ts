import { randomBytes } from 'node:crypto';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa';
import type { PtmKey } from '@tetrad/types';
import { sharedSecret } from '../keys/key-pair.js';

/** Bytes of a key of secretbox, of its nonce, and of the tag before the ciphertext. */
export const SECRET_BYTES = 32;
export const NONCE_BYTES = 24;
export const TAG_BYTES = 16;

/** Bytes of a box: a tag and the master key of a payload. */
export const BOX_BYTES = TAG_BYTES + SECRET_BYTES;

/** "expand 32-byte k" as little-endian words, the constant of the Salsa20 family. */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
const ZERO_INPUT = new Uint32Array(4);

/** NaCl secretbox, XSalsa20-Poly1305: tag (16) | ciphertext. */
export function seal(key: Uint8Array, nonce: Uint8Array, message: Uint8Array): Uint8Array {
  return xsalsa20poly1305(key, nonce).encrypt(message);
}

/** Opens a secretbox; nothing when key, nonce or bytes are not those of a box that was sealed. */
export function open(key: Uint8Array, nonce: Uint8Array, box: Uint8Array): Uint8Array | undefined {
  if (box.length < TAG_BYTES || nonce.length !== NONCE_BYTES || key.length !== SECRET_BYTES) return undefined;
  try {
    return xsalsa20poly1305(key, nonce).decrypt(box);
  } catch {
    return undefined;
  }
}

/**
 * The key that two parties share, as crypto_box_beforenm of NaCl makes it: HSalsa20 over their X25519 secret.
 *
 * Cost: about 0.1 ms, so callers keep the result
 *
 * @throws InvalidPublicKeyError
 */
export function sharedKey(privateKey: Uint8Array, publicKey: PtmKey): Uint8Array {
  const out = new Uint32Array(SECRET_BYTES / 4);
  hsalsa(SIGMA, littleEndianWords(sharedSecret(privateKey, publicKey)), ZERO_INPUT, out);
  const bytes = Buffer.alloc(SECRET_BYTES);
  out.forEach((word, index) => bytes.writeUInt32LE(word, 4 * index));
  return bytes;
}

export function randomSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

export function randomNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

function littleEndianWords(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, true));
}
