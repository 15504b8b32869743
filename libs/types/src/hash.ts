import type { Brand } from './brand.js';
import { brandedBytes, hexFromBytes, type Hex } from './hex.js';

/** A 32-byte hash as lower-case `0x` text, so that it can be compared and used as a key. */
export type Hash = Brand<Hex, 'Hash'>;

const HASH = /^0x[0-9a-f]{64}$/i;

/** Whether the text is `0x` and 64 hex digits. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * The hash that the text spells.
 * @throws TypeError when it is not `0x` and 64 hex digits
 */
export function parseHash(text: string): Hash {
  if (!isHash(text)) throw new TypeError(`not a 32-byte 0x hash: ${text.slice(0, 80)}`);
  return text.toLowerCase() as Hash;
}

/**
 * The hash in 32 bytes.
 * @throws TypeError on another length
 */
export function hashFromBytes(bytes: Uint8Array): Hash {
  if (bytes.length !== 32) throw new TypeError(`a hash has 32 bytes, not ${bytes.length}`);
  return hexFromBytes(bytes) as Hash;
}

/**
 * The 32 bytes of the hash.
 * @throws TypeError on text that is not a hash
 */
export function hashToBytes(hash: Hash): Uint8Array {
  return brandedBytes(hash, 32);
}

export const ZERO_HASH = parseHash(`0x${'00'.repeat(32)}`);
