import { MODULUS, NUMBER_LIMIT, SIGN_BIT, toWord, wrapWord, type Word } from './word.js';
import { widePower } from './wide-power.js';

/*
 * Every operation has a path for numbers, on which the result is exact as long as it stays below 2^53: a double
 * that was rounded cannot come out below that limit. The rest is BigInt arithmetic.
 */

export function add(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum < NUMBER_LIMIT) return sum;
  }
  const sum = BigInt(a) + BigInt(b);
  return toWord(sum < MODULUS ? sum : sum - MODULUS);
}

export function subtract(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return difference >= 0 ? difference : BigInt(difference) + MODULUS;
  }
  const difference = BigInt(a) - BigInt(b);
  return toWord(difference < 0n ? difference + MODULUS : difference);
}

export function multiply(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    return product < NUMBER_LIMIT ? product : BigInt(a) * BigInt(b);
  }
  return wrapWord(BigInt(a) * BigInt(b));
}

/** Division by zero is zero. The quotient of two doubles below 2^53 never rounds up to the next integer. */
export function divide(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === 'number') return typeof b === 'number' ? Math.floor(a / b) : 0;
  return toWord(a / BigInt(b));
}

export function modulo(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === 'number') return typeof b === 'number' ? a - Math.floor(a / b) * b : a;
  return toWord(a % BigInt(b));
}

export function divideSigned(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b);
  return wrapWord(signed(a) / signed(b));
}

export function moduloSigned(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === 'number' && typeof b === 'number') return modulo(a, b);
  return wrapWord(signed(a) % signed(b));
}

export function addModulo(a: Word, b: Word, n: Word): Word {
  if (n === 0) return 0;
  if (typeof a === 'number' && typeof b === 'number' && a + b < NUMBER_LIMIT) return modulo(a + b, n);
  return toWord((BigInt(a) + BigInt(b)) % BigInt(n));
}

export function multiplyModulo(a: Word, b: Word, n: Word): Word {
  if (n === 0) return 0;
  if (typeof a === 'number' && typeof b === 'number' && a * b < NUMBER_LIMIT) return modulo(a * b, n);
  return toWord((BigInt(a) * BigInt(b)) % BigInt(n));
}

export function power(base: Word, exponent: Word): Word {
  if (exponent === 0) return 1;
  if (typeof base === 'number' && (base < 2 || typeof exponent === 'number')) {
    if (base < 2) return base;
    const result = base ** (exponent as number);
    // Math.pow is exact for small integers only as far as the engine multiplies; BigInts decide beyond 2^32.
    if (result < 2 ** 32) return Math.round(result);
  }
  if (base === 2) return typeof exponent === 'number' && exponent < 256 ? toWord(1n << BigInt(exponent)) : 0;
  return widePower(BigInt(base), BigInt(exponent));
}

/** Extends the sign of a number of `index + 1` bytes. */
export function signExtend(index: Word, word: Word): Word {
  if (typeof index !== 'number' || index > 30) return word;
  const bits = index * 8 + 8;
  return wrapWord(BigInt.asIntN(bits, BigInt(word)));
}

/** The word as two's complement. */
export function signed(word: Word): bigint {
  if (typeof word === 'number') return BigInt(word);
  return word >= SIGN_BIT ? word - MODULUS : word;
}
