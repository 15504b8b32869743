/** Bytes of numbers that are read word by word. */
const FEW = 32;

/** The big-endian bytes as a number. */
export function numberOfBytes(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  if (bytes.length <= FEW && bytes.length % 8 === 0) return numberOfWords(bytes);
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return BigInt(`0x${hex}`);
}

/** Word by word, which is faster than by text for a few. */
function numberOfWords(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let number = view.getBigUint64(0);
  for (let at = 8; at < bytes.length; at += 8) number = (number << 64n) | view.getBigUint64(at);
  return number;
}

/** The number in so many big-endian bytes, which it fits into. */
export function bytesOfNumber(value: bigint, length: number): Uint8Array {
  const output = new Uint8Array(length);
  const hex = value.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  // Zero has one digit in hex even when `length` is 0.
  if (length > 0) output.set(digits, length - digits.length);
  return output;
}

/** Bits of a number above zero. */
export function bitLength(value: bigint): number {
  const hex = value.toString(16);
  return 4 * (hex.length - 1) + 32 - Math.clz32(parseInt(hex.charAt(0), 16));
}

/** The inverse of an odd number modulo 2^bits, by Newton's iteration. */
export function inverseOfOdd(odd: bigint, bits: number): bigint {
  let inverse = odd & 7n;
  for (let known = 3; known < bits; known *= 2) {
    const width = Math.min(2 * known, bits);
    const low = BigInt.asUintN(width, odd);
    inverse = BigInt.asUintN(width, inverse * (2n - low * inverse));
  }
  return BigInt.asUintN(bits, inverse);
}
