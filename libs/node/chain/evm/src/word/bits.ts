import { NUMBER_LIMIT, SIGN_BIT, MAX_WORD, MODULUS, toWord, wrapWord, type Word } from './word.js';

/** Shift distances and powers of two, so that a shift allocates nothing but its result. */
const DISTANCES = Array.from({ length: 256 }, (_, bits) => BigInt(bits));
const POWERS = Array.from({ length: 54 }, (_, bits) => 2 ** bits);
const TWO_32 = 2 ** 32;
const LOW_MASK = 0xffffffff;

export function and(a: Word, b: Word): Word {
  if (typeof a === 'number') return typeof b === 'number' ? andNumbers(a, b) : andNumbers(a, lowBits(b));
  if (typeof b === 'number') return andNumbers(lowBits(a), b);
  return toWord(a & b);
}

export function or(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a <= LOW_MASK && b <= LOW_MASK) return (a | b) >>> 0;
    const upper = (Math.floor(a / TWO_32) | Math.floor(b / TWO_32)) >>> 0;
    return upper * TWO_32 + ((a | b) >>> 0);
  }
  return BigInt(a) | BigInt(b);
}

export function xor(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a <= LOW_MASK && b <= LOW_MASK) return (a ^ b) >>> 0;
    const upper = (Math.floor(a / TWO_32) ^ Math.floor(b / TWO_32)) >>> 0;
    return upper * TWO_32 + ((a ^ b) >>> 0);
  }
  return toWord(BigInt(a) ^ BigInt(b));
}

export function not(a: Word): Word {
  return toWord(MAX_WORD - BigInt(a));
}

function andNumbers(a: number, b: number): number {
  // The operators look at the low 32 bits only.
  if (a <= LOW_MASK || b <= LOW_MASK) return (a & b) >>> 0;
  const upper = (Math.floor(a / TWO_32) & Math.floor(b / TWO_32)) >>> 0;
  return upper * TWO_32 + ((a & b) >>> 0);
}

/** The low 53 bits, all that a number can share with a larger word. */
function lowBits(word: bigint): number {
  return Number(BigInt.asUintN(53, word));
}

/** The byte at `index`, counted from the most significant. */
export function byteAt(index: Word, word: Word): Word {
  if (typeof index !== 'number' || index > 31) return 0;
  const shift = 248 - index * 8;
  return and(shiftRight(shift, word), 0xff);
}

export function shiftLeft(bits: Word, word: Word): Word {
  if (typeof bits !== 'number' || bits > 255 || word === 0) return 0;
  if (typeof word === 'number' && bits <= 53) {
    const shifted = word * (POWERS[bits] as number);
    if (shifted < NUMBER_LIMIT) return shifted;
  }
  return wrapWord(BigInt(word) << (DISTANCES[bits] as bigint));
}

export function shiftRight(bits: Word, word: Word): Word {
  if (typeof bits !== 'number' || bits > 255) return 0;
  if (typeof word === 'number') return bits > 52 ? 0 : Math.floor(word / (POWERS[bits] as number));
  return toWord(word >> (DISTANCES[bits] as bigint));
}

export function shiftRightSigned(bits: Word, word: Word): Word {
  if (typeof word === 'number' || word < SIGN_BIT) return shiftRight(bits, word);
  if (typeof bits !== 'number' || bits > 255) return MAX_WORD;
  return wrapWord((word - MODULUS) >> (DISTANCES[bits] as bigint));
}

const double = new DataView(new ArrayBuffer(8));

/** Zero bits in front of the first one. EIP-7939. */
export function leadingZeros(word: Word): number {
  if (word === 0) return 256;
  double.setFloat64(0, Number(word));
  const exponent = (double.getUint16(0) >> 4) - 1023;
  // A double that was rounded up to a power of two has an exponent that the word has not.
  const isRounded = typeof word === 'bigint' && word >> BigInt(exponent) === 0n;
  return 255 - exponent + (isRounded ? 1 : 0);
}
