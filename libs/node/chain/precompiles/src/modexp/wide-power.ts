import type { Work } from '../slices.js';

/** Powers of the base that are computed before, for four bits of the exponent at a time. */
const TABLE = 16;

/**
 * base ^ exponent mod modulus for numbers of many digits, which the engine multiplies and divides faster than any loop
 * over digits; it yields after each product. The exponent is above zero.
 */
export function* widePower(base: bigint, exponent: Uint8Array, modulus: bigint): Work<bigint> {
  const table = [1n, base];
  let power: bigint | undefined;
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      for (let times = 0; power !== undefined && times < 4; times += 1) {
        power = (power * power) % modulus;
        yield;
      }
      if (digit === 0) continue;
      const factor = yield* powerOf(table, digit, modulus);
      power = power === undefined ? factor : (power * factor) % modulus;
      yield;
    }
  }
  return power ?? 1n % modulus;
}

/** A small power of the table's base, computed when it is first needed. */
function* powerOf(table: bigint[], digit: number, modulus: bigint): Work<bigint> {
  while (table.length <= digit && table.length < TABLE) {
    table.push(((table.at(-1) as bigint) * (table[1] as bigint)) % modulus);
    yield;
  }
  return table[digit] as bigint;
}

/** base ^ exponent mod modulus for an exponent of a few bits, which must be above zero. */
export function* shortPower(base: bigint, exponent: number, modulus: bigint): Work<bigint> {
  let power = base;
  for (let bit = 30 - Math.clz32(exponent); bit >= 0; bit -= 1) {
    power = (power * power) % modulus;
    yield;
    if (((exponent >> bit) & 1) === 0) continue;
    power = (power * base) % modulus;
    yield;
  }
  return power;
}
