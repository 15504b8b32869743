import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { GROUP_ORDER, WORD_BYTES, decodeWord, encodeWord, encodeWords, modulo } from './field.js';
import {
  POINT_BYTES,
  decodePoint,
  encodePoint,
  isScalar,
  isSumOfProducts,
  multiplyGenerator,
  type Point,
} from './grumpkin.js';
import { hashWords } from './poseidon2.js';
import { randomScalar } from './random.js';

/** A Schnorr signature over Grumpkin. */
export interface Signature {
  readonly R: Point;
  readonly s: bigint;
}

/** R.x(32) ‖ R.y(32) ‖ s(32), big-endian. */
export const SIGNATURE_BYTES = POINT_BYTES + WORD_BYTES;

/** e = H(R.x, R.y, P.x, P.y, message) */
export function signatureChallenge(R: Point, P: Point, message: bigint): bigint {
  return hashWords([R.x, R.y, P.x, P.y, message]);
}

/**
 * Signs a field element. The nonce comes of the key, the message and fresh randomness together, so neither a bad
 * random source nor the same message twice gives the key away.
 */
export function sign(secretKey: bigint, message: bigint): Signature {
  const digest = hmac(sha512, encodeWord(secretKey), encodeWords([message, randomScalar()]));
  const nonce = modulo((decodeWord(digest) << 256n) | decodeWord(digest, 32), GROUP_ORDER - 1n) + 1n;
  const R = multiplyGenerator(nonce);
  const challenge = signatureChallenge(R, multiplyGenerator(secretKey), message);
  return { R, s: modulo(nonce + challenge * secretKey, GROUP_ORDER) };
}

/**
 * Whether s < n and s · G = R + e · P.
 * @param P - a point of the curve
 */
export function verifySignature(P: Point, message: bigint, { R, s }: Signature): boolean {
  return isScalar(s) && isSumOfProducts({ s, R, e: signatureChallenge(R, P, message), P });
}

export function encodeSignature({ R, s }: Signature): Uint8Array {
  const bytes = new Uint8Array(SIGNATURE_BYTES);
  bytes.set(encodePoint(R));
  bytes.set(encodeWord(s), POINT_BYTES);
  return bytes;
}

/** @returns undefined when the bytes cannot be a signature of any message: R off the curve, or s out of range */
export function decodeSignature(bytes: Uint8Array): Signature | undefined {
  if (bytes.length !== SIGNATURE_BYTES) return undefined;
  const R = decodePoint(bytes);
  const s = decodeWord(bytes, POINT_BYTES);
  return R !== undefined && isScalar(s) ? { R, s } : undefined;
}
