import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { GROUP_ORDER, decodeWord, encodeWord, encodeWords, modulo } from './field.js';

/**
 * Maximum number of attempts of one nonce, each of which distinguishes an operation: an account holder tries this many to read an
 * order on the chain, at some 50 µs each, and no more are signed.
 */
export const MAX_ATTEMPTS = 4_096;

/**
 * The randomization factor of an account's operation, derived from its secret key: with the key it can be found again, to
 * read on the chain also what was encrypted to others. Each operation that was ever signed with a nonce must have a unique
 * attempt: two texts under one factor reveal their difference.
 *
 * HMAC-SHA-512 under `secret key(32)` of `domain(32) ‖ nonce(32) ‖ attempt(32)`, modulo n − 1, plus 1
 */
export function deriveRandomizationFactor(
  secretKey: bigint,
  { domain, nonce, attempt }: { readonly domain: bigint; readonly nonce: number; readonly attempt: number },
): bigint {
  const digest = hmac(sha512, encodeWord(secretKey), encodeWords([domain, BigInt(nonce), BigInt(attempt)]));
  return modulo((decodeWord(digest) << 256n) | decodeWord(digest, 32), GROUP_ORDER - 1n) + 1n;
}
