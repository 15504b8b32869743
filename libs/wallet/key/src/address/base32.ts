import { base32 } from 'multiformats/bases/base32';
import { addressError } from './address-error.js';

/** Lower-case base32 of RFC 4648, without padding. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const FOREIGN = /[^a-z2-7]/;
/** Numbers of letters, modulo 8, that no number of bytes gives. */
const IMPOSSIBLE_TAILS = new Set([1, 3, 6]);

export interface Base32Body {
  readonly bytes: Uint8Array;
  /** Whether the bits that no byte uses are zero; only then do the bytes have this one text. */
  readonly canonical: boolean;
}

export function encodeBase32(bytes: Uint8Array): string {
  return base32.baseEncode(bytes);
}

/**
 * The bytes of base32 text, whatever its spare bits are.
 * @throws RequestError (INVALID_COIN_ADDRESS) at the first letter that is not of the alphabet
 */
export function decodeBase32(text: string): Base32Body {
  const foreign = text.search(FOREIGN);
  const illegal = foreign >= 0 ? foreign : IMPOSSIBLE_TAILS.has(text.length % 8) ? text.length : undefined;
  if (illegal !== undefined) {
    throw addressError('illegal base32 data', `illegal base32 data at input byte ${illegal}`);
  }
  const spareBits = (text.length * 5) % 8;
  const last = ALPHABET.indexOf(text.slice(-1));
  const settled = (last >> spareBits) << spareBits;
  const canonical = text === '' ? text : text.slice(0, -1) + ALPHABET.charAt(settled);
  return { bytes: base32.baseDecode(canonical), canonical: canonical === text };
}
