import type { Work } from '../slices.js';
import { evenPower, oddPower } from './limb-power.js';
import { bitLength, inverseOfOdd } from './numbers.js';
import { tinyPower } from './tiny-power.js';
import { shortPower, widePower } from './wide-power.js';

/** Moduli of more bits are left to the engine's own numbers, whose products of many digits take less than n² steps. */
const WIDE = 4_096;

/** Exponents of so many bits are not worth the table of powers. */
const SHORT_EXPONENT = 16;

/**
 * base ^ exponent mod modulus, by the way that is fastest for the size.
 * @param exponent - big-endian
 * @param modulus - above zero
 */
export function* modularPower(base: bigint, exponent: Uint8Array, modulus: bigint): Work<bigint> {
  const first = exponent.findIndex((byte) => byte !== 0);
  if (first < 0) return 1n % modulus;
  const reduced = base % modulus;
  const digits = exponent.subarray(first);
  if (modulus < 256n) return BigInt(yield* tinyPower(Number(reduced), digits, Number(modulus)));
  if (reduced < 2n) return reduced;
  const short = shortExponent(digits);
  if (short !== undefined) return yield* shortPower(reduced, short, modulus);
  const bits = bitLength(modulus);
  if (bits > WIDE) return yield* widePower(reduced, digits, modulus);
  return yield* powerBySplitting(reduced, digits, modulus, bits);
}

function shortExponent(digits: Uint8Array): number | undefined {
  const value = digits.length > 2 ? Infinity : digits.reduce((sum, byte) => sum * 256 + byte, 0);
  return value < 2 ** SHORT_EXPONENT ? value : undefined;
}

/** Modulo the odd part and the power of two of the modulus, put together by the Chinese remainder theorem. */
function* powerBySplitting(base: bigint, exponent: Uint8Array, modulus: bigint, bits: number): Work<bigint> {
  const twos = trailingZeros(modulus);
  if (twos === 0) return yield* oddPower(base, exponent, modulus, bits);
  // An exponent that is not short is above the bits of any modulus that is not wide.
  const low = yield* evenPower(base, exponent, twos);
  const odd = modulus >> BigInt(twos);
  if (odd === 1n) return low;
  const high = yield* oddPower(base % odd, exponent, odd, bits - twos);
  return high + odd * BigInt.asUintN(twos, (low - high) * inverseOfOdd(odd, twos));
}

/** How many times two divides a number above zero. */
function trailingZeros(value: bigint): number {
  if ((value & 1n) === 1n) return 0;
  return bitLength(value & -value) - 1;
}
