// AssemblyScript: powers modulo 2^256, on numbers of nine limbs of 29 bits.
//
// A column of a product is a sum of nine products of 58 bits at most, so that 64 bits hold it and a carry. What is above
// 2^256 is cut off at the end: nine limbs hold 261 bits, and the rest is lost in any case.

/** Exponent, base and result: four words of 64 bits each, little-endian, the least significant first. */
const EXPONENT: usize = 0;
const BASE: usize = 32;
const RESULT: usize = 64;
/** Numbers of nine limbs, each in a word. */
const SIZE: usize = 72;
const VALUE: usize = 128;
/** Powers 0 to 15 of the base. */
const TABLE: usize = 256;
const MASK: u64 = 0x1fffffff;

/** Exponents below this are not worth the table. */
const SHORT: u64 = 1 << 12;

/** RESULT = BASE ^ EXPONENT mod 2^256; the exponent is above zero. */
export function power(): void {
  split(TABLE + SIZE, BASE);
  let top: i32 = 3;
  while (top > 0 && load<u64>(EXPONENT + (<usize>top << 3)) === 0) top--;
  if (top === 0 && load<u64>(EXPONENT) < SHORT) raiseByBits(load<u64>(EXPONENT));
  else raiseByDigits(top);
  join(RESULT, VALUE);
}

function raiseByBits(exponent: u64): void {
  memory.copy(VALUE, TABLE + SIZE, SIZE);
  for (let bit: i64 = 62 - <i64>clz<u64>(exponent); bit >= 0; bit--) {
    square(VALUE, VALUE);
    if (((exponent >> bit) & 1) !== 0) multiply(VALUE, VALUE, TABLE + SIZE);
  }
}

/** Four bits of the exponent at a time, from its highest word that is not zero. */
function raiseByDigits(top: i32): void {
  for (let index: usize = 2; index < 16; index++) {
    multiply(TABLE + index * SIZE, TABLE + (index - 1) * SIZE, TABLE + SIZE);
  }
  let isStarted = false;
  for (let at = top; at >= 0; at--) {
    const word = load<u64>(EXPONENT + (<usize>at << 3));
    for (let shift: i64 = 60; shift >= 0; shift -= 4) {
      const digit = <usize>((word >> shift) & 15);
      if (isStarted) {
        square(VALUE, VALUE);
        square(VALUE, VALUE);
        square(VALUE, VALUE);
        square(VALUE, VALUE);
        if (digit !== 0) multiply(VALUE, VALUE, TABLE + digit * SIZE);
      } else if (digit !== 0) {
        memory.copy(VALUE, TABLE + digit * SIZE, SIZE);
        isStarted = true;
      }
    }
  }
}

/** Four words into nine limbs. */
function split(to: usize, from: usize): void {
  for (let limb: usize = 0; limb < 9; limb++) {
    const bit = limb * 29;
    const at = from + ((bit >> 6) << 3);
    const shift = <u64>(bit & 63);
    let bits = load<u64>(at) >> shift;
    if (shift > 35 && bit < 192) bits |= load<u64>(at, 8) << (64 - shift);
    store<u64>(to + (limb << 3), bits & MASK);
  }
}

/** Nine limbs into four words. */
function join(to: usize, from: usize): void {
  memory.fill(to, 0, 32);
  for (let limb: usize = 0; limb < 9; limb++) {
    const bit = limb * 29;
    const at = to + ((bit >> 6) << 3);
    const shift = <u64>(bit & 63);
    const bits = load<u64>(from + (limb << 3));
    store<u64>(at, load<u64>(at) | (bits << shift));
    if (shift > 35 && bit < 192) store<u64>(at, bits >> (64 - shift), 8);
  }
}

/** to = from²; to may be from. */
function square(to: usize, from: usize): void {
  const a0 = load<u64>(from, 0);
  const a1 = load<u64>(from, 8);
  const a2 = load<u64>(from, 16);
  const a3 = load<u64>(from, 24);
  const a4 = load<u64>(from, 32);
  const a5 = load<u64>(from, 40);
  const a6 = load<u64>(from, 48);
  const a7 = load<u64>(from, 56);
  const a8 = load<u64>(from, 64);
  let column: u64 = a0 * a0;
  store<u64>(to, column & MASK, 0);
  column = (column >> 29) + ((a0 * a1) << 1);
  store<u64>(to, column & MASK, 8);
  column = (column >> 29) + ((a0 * a2) << 1) + a1 * a1;
  store<u64>(to, column & MASK, 16);
  column = (column >> 29) + ((a0 * a3 + a1 * a2) << 1);
  store<u64>(to, column & MASK, 24);
  column = (column >> 29) + ((a0 * a4 + a1 * a3) << 1) + a2 * a2;
  store<u64>(to, column & MASK, 32);
  column = (column >> 29) + ((a0 * a5 + a1 * a4 + a2 * a3) << 1);
  store<u64>(to, column & MASK, 40);
  column = (column >> 29) + ((a0 * a6 + a1 * a5 + a2 * a4) << 1) + a3 * a3;
  store<u64>(to, column & MASK, 48);
  column = (column >> 29) + ((a0 * a7 + a1 * a6 + a2 * a5 + a3 * a4) << 1);
  store<u64>(to, column & MASK, 56);
  column = (column >> 29) + ((a0 * a8 + a1 * a7 + a2 * a6 + a3 * a5) << 1) + a4 * a4;
  store<u64>(to, column & MASK, 64);
}

/** to = left · right; to may be an operand. */
function multiply(to: usize, left: usize, right: usize): void {
  const a0 = load<u64>(left, 0);
  const a1 = load<u64>(left, 8);
  const a2 = load<u64>(left, 16);
  const a3 = load<u64>(left, 24);
  const a4 = load<u64>(left, 32);
  const a5 = load<u64>(left, 40);
  const a6 = load<u64>(left, 48);
  const a7 = load<u64>(left, 56);
  const a8 = load<u64>(left, 64);
  const b0 = load<u64>(right, 0);
  const b1 = load<u64>(right, 8);
  const b2 = load<u64>(right, 16);
  const b3 = load<u64>(right, 24);
  const b4 = load<u64>(right, 32);
  const b5 = load<u64>(right, 40);
  const b6 = load<u64>(right, 48);
  const b7 = load<u64>(right, 56);
  const b8 = load<u64>(right, 64);
  let column: u64 = a0 * b0;
  store<u64>(to, column & MASK, 0);
  column = (column >> 29) + a0 * b1 + a1 * b0;
  store<u64>(to, column & MASK, 8);
  column = (column >> 29) + a0 * b2 + a1 * b1 + a2 * b0;
  store<u64>(to, column & MASK, 16);
  column = (column >> 29) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  store<u64>(to, column & MASK, 24);
  column = (column >> 29) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0;
  store<u64>(to, column & MASK, 32);
  column = (column >> 29) + a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0;
  store<u64>(to, column & MASK, 40);
  column = (column >> 29) + a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0;
  store<u64>(to, column & MASK, 48);
  column = (column >> 29) + a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0;
  store<u64>(to, column & MASK, 56);
  column = (column >> 29) + a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0;
  store<u64>(to, column & MASK, 64);
}
