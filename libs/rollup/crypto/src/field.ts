/** The scalar field of BN254, over which Grumpkin is defined. Every hash, leaf and coordinate is an element of it. */
export const FIELD_MODULUS = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;

/** Number of points on Grumpkin (the base field of BN254). Secret keys and the s of signatures are below it. */
export const GROUP_ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;

/** Bytes of an encoded field element or scalar, big-endian. */
export const WORD_BYTES = 32;

export function isFieldElement(value: bigint): boolean {
  return value >= 0n && value < FIELD_MODULUS;
}

/** The residue of any integer, negative ones included. */
export function modulo(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/**
 * `word(32)`, big-endian.
 * @throws RangeError when the value does not fit
 */
export function encodeWord(value: bigint): Uint8Array {
  if (value < 0n || value >> 256n !== 0n) throw new RangeError('a word is 256 bits');
  const bytes = new Uint8Array(WORD_BYTES);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < 4; index += 1) {
    view.setBigUint64(8 * index, BigInt.asUintN(64, value >> BigInt(64 * (3 - index))));
  }
  return bytes;
}

/** The integer in 32 bytes at the offset, big-endian; it may be above the modulus. */
export function decodeWord(bytes: Uint8Array, offset = 0): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, WORD_BYTES);
  return (
    (view.getBigUint64(0) << 192n) |
    (view.getBigUint64(8) << 128n) |
    (view.getBigUint64(16) << 64n) |
    view.getBigUint64(24)
  );
}

/** All words of the bytes, of which there are a multiple of 32. */
export function decodeWords(bytes: Uint8Array): bigint[] {
  return Array.from({ length: bytes.length / WORD_BYTES }, (_, index) =>
    decodeWord(bytes, WORD_BYTES * index),
  );
}

export function encodeWords(words: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(WORD_BYTES * words.length);
  words.forEach((word, index) => bytes.set(encodeWord(word), WORD_BYTES * index));
  return bytes;
}

/**
 * The inverse by the extended Euclidean algorithm.
 * @throws RangeError for zero. Time depends on the value
 */
export function invert(value: bigint, modulus: bigint): bigint {
  let [r0, r1] = [modulus, modulo(value, modulus)];
  if (r1 === 0n) throw new RangeError('zero has no inverse');
  let [t0, t1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return modulo(t0, modulus);
}
