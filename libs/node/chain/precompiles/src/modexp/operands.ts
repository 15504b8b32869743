import { padded } from '../input.js';

/** Lengths that the head of the input declares; Infinity for what no number holds exactly. */
export interface Lengths {
  readonly base: number;
  readonly exponent: number;
  readonly modulus: number;
}

/** Layout: base length (32) ‖ exponent length (32) ‖ modulus length (32). Source: EIP-198. */
export const HEAD = 96;

/** Reads the lengths; missing bytes of the head are zero. */
export function readLengths(input: Uint8Array): Lengths {
  return { base: readLength(input, 0), exponent: readLength(input, 32), modulus: readLength(input, 64) };
}

function readLength(input: Uint8Array, offset: number): number {
  let length = 0;
  const end = Math.min(offset + 32, input.length);
  for (let at = offset; at < end; at += 1) length = length * 256 + (input[at] as number);
  length *= 256 ** (offset + 32 - Math.max(end, offset));
  return length <= Number.MAX_SAFE_INTEGER ? length : Infinity;
}

/**
 * Bits of the exponent after the first: of its first 32 bytes as they are, and `perByte` for each byte beyond.
 * Source: EIP-198, ADJUSTED_EXPONENT_LENGTH; EIP-7883 counts bytes beyond twice.
 */
export function adjustedExponentLength(input: Uint8Array, lengths: Lengths, perByte: number): number {
  const { base, exponent } = lengths;
  const head = Math.min(exponent, 32);
  // A base beyond the input's end leaves an exponent of zeros.
  const bytes = padded(input, Math.min(HEAD + base, input.length), head);
  const first = bytes.findIndex((byte) => byte !== 0);
  const bits = first < 0 ? 0 : 8 * (head - first) - 1 - (Math.clz32(bytes[first] as number) - 24);
  return bits + (exponent > 32 ? perByte * (exponent - 32) : 0);
}
