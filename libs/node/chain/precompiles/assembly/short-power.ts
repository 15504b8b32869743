// AssemblyScript: powers modulo an odd number of up to 256 bits (Montgomery), on limbs of 29 bits.
//
// 64 bits hold a column of a product and its reduction: 18 products of 58 bits and a carry. The limbs have room for 32
// times the modulus, so that factors need not be below it, only below twice it.

/** Modulus, base in Montgomery form, and result: four words of 64 bits each, the least significant first. */
const GIVEN_MODULUS: usize = 0;
const GIVEN_BASE: usize = 32;
const RESULT: usize = 64;
/** Numbers of nine limbs, each in a word. */
const SIZE: usize = 72;
const MODULUS: usize = 128;
const POWER: usize = 256;
const ONE: usize = 384;
/** Exponent bytes of one call, big-endian. */
const EXPONENT: usize = 1024;
/** Powers 0 to 15 of the base, of which the first is not used. */
const TABLE: usize = 4096;
const MASK: u64 = 0x1fffffff;

/** −modulus⁻¹ mod 2^29. */
let inverse: u64 = 0;
/** Whether five limbs are enough: up to 143 bits. */
let isShort: bool = false;
let isStarted: bool = false;

/** Begins with the modulus and the base in place; in Montgomery form for five limbs when `short`, otherwise nine. */
export function begin(short: bool): void {
  isShort = short;
  isStarted = false;
  split(MODULUS, GIVEN_MODULUS);
  split(TABLE + SIZE, GIVEN_BASE);
  const low = load<u64>(MODULUS);
  let found: u64 = low;
  for (let bits = 3; bits < 29; bits *= 2) found *= 2 - low * found;
  inverse = (0 - found) & MASK;
  for (let index: usize = 2; index < 16; index++) {
    multiply(TABLE + index * SIZE, TABLE + (index - 1) * SIZE, TABLE + SIZE);
  }
}

/** Takes up the next bytes of the exponent. */
export function raise(bytes: u32): void {
  for (let at: usize = EXPONENT; at < EXPONENT + bytes; at++) {
    const byte = <u32>load<u8>(at);
    takeDigit(byte >> 4);
    takeDigit(byte & 15);
  }
}

/** Leaves the power, out of Montgomery form, as the result: at most the modulus. The exponent must not have been zero. */
export function finish(): void {
  memory.fill(ONE, 0, SIZE);
  store<u64>(ONE, 1);
  multiply(POWER, POWER, ONE);
  join(RESULT, POWER);
}

function takeDigit(digit: u32): void {
  const factor = TABLE + <usize>digit * SIZE;
  if (isStarted) {
    multiply(POWER, POWER, POWER);
    multiply(POWER, POWER, POWER);
    multiply(POWER, POWER, POWER);
    multiply(POWER, POWER, POWER);
    if (digit !== 0) multiply(POWER, POWER, factor);
  } else if (digit !== 0) {
    memory.copy(POWER, factor, SIZE);
    isStarted = true;
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

/** Limbs into four words. */
function join(to: usize, from: usize): void {
  memory.fill(to, 0, 32);
  const limbs: usize = isShort ? 5 : 9;
  for (let limb: usize = 0; limb < limbs; limb++) {
    const bit = limb * 29;
    const at = to + ((bit >> 6) << 3);
    const shift = <u64>(bit & 63);
    const bits = load<u64>(from + (limb << 3));
    store<u64>(at, load<u64>(at) | (bits << shift));
    if (shift > 35 && bit < 192) store<u64>(at, bits >> (64 - shift), 8);
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function multiply(to: usize, left: usize, right: usize): void {
  if (isShort) multiply5(to, left, right);
  else multiply9(to, left, right);
}

/** to = left · right / 2^145 modulo the modulus, below twice it; to may be an operand. */
function multiply5(to: usize, left: usize, right: usize): void {
  const a0 = load<u64>(left, 0);
  const a1 = load<u64>(left, 8);
  const a2 = load<u64>(left, 16);
  const a3 = load<u64>(left, 24);
  const a4 = load<u64>(left, 32);
  const b0 = load<u64>(right, 0);
  const b1 = load<u64>(right, 8);
  const b2 = load<u64>(right, 16);
  const b3 = load<u64>(right, 24);
  const b4 = load<u64>(right, 32);
  const m0 = load<u64>(MODULUS, 0);
  const m1 = load<u64>(MODULUS, 8);
  const m2 = load<u64>(MODULUS, 16);
  const m3 = load<u64>(MODULUS, 24);
  const m4 = load<u64>(MODULUS, 32);
  const negated = inverse;
  let column: u64 = a0 * b0;
  const q0 = (column * negated) & MASK;
  column += q0 * m0;
  column = (column >> 29) + a0 * b1 + a1 * b0 + q0 * m1;
  const q1 = (column * negated) & MASK;
  column += q1 * m0;
  column = (column >> 29) + a0 * b2 + a1 * b1 + a2 * b0 + q0 * m2 + q1 * m1;
  const q2 = (column * negated) & MASK;
  column += q2 * m0;
  column = (column >> 29) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + q0 * m3 + q1 * m2 + q2 * m1;
  const q3 = (column * negated) & MASK;
  column += q3 * m0;
  column = (column >> 29) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + q0 * m4 + q1 * m3 + q2 * m2 + q3 * m1;
  const q4 = (column * negated) & MASK;
  column += q4 * m0;
  column = (column >> 29) + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + q1 * m4 + q2 * m3 + q3 * m2 + q4 * m1;
  store<u64>(to, column & MASK, 0);
  column = (column >> 29) + a2 * b4 + a3 * b3 + a4 * b2 + q2 * m4 + q3 * m3 + q4 * m2;
  store<u64>(to, column & MASK, 8);
  column = (column >> 29) + a3 * b4 + a4 * b3 + q3 * m4 + q4 * m3;
  store<u64>(to, column & MASK, 16);
  column = (column >> 29) + a4 * b4 + q4 * m4;
  store<u64>(to, column & MASK, 24);
  store<u64>(to, column >> 29, 32);
}

/** to = left · right / 2^261 modulo the modulus, below twice it; to may be an operand. */
function multiply9(to: usize, left: usize, right: usize): void {
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
  const m0 = load<u64>(MODULUS, 0);
  const m1 = load<u64>(MODULUS, 8);
  const m2 = load<u64>(MODULUS, 16);
  const m3 = load<u64>(MODULUS, 24);
  const m4 = load<u64>(MODULUS, 32);
  const m5 = load<u64>(MODULUS, 40);
  const m6 = load<u64>(MODULUS, 48);
  const m7 = load<u64>(MODULUS, 56);
  const m8 = load<u64>(MODULUS, 64);
  const negated = inverse;
  let column: u64 = a0 * b0;
  const q0 = (column * negated) & MASK;
  column += q0 * m0;
  column = (column >> 29) + a0 * b1 + a1 * b0 + q0 * m1;
  const q1 = (column * negated) & MASK;
  column += q1 * m0;
  column = (column >> 29) + a0 * b2 + a1 * b1 + a2 * b0 + q0 * m2 + q1 * m1;
  const q2 = (column * negated) & MASK;
  column += q2 * m0;
  column = (column >> 29) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + q0 * m3 + q1 * m2 + q2 * m1;
  const q3 = (column * negated) & MASK;
  column += q3 * m0;
  column = (column >> 29) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + q0 * m4 + q1 * m3 + q2 * m2 + q3 * m1;
  const q4 = (column * negated) & MASK;
  column += q4 * m0;
  column = (column >> 29) + a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + q0 * m5 + q1 * m4 + q2 * m3 + q3 * m2 + q4 * m1;
  const q5 = (column * negated) & MASK;
  column += q5 * m0;
  column = (column >> 29) + a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + q0 * m6 + q1 * m5 + q2 * m4 + q3 * m3 + q4 * m2 + q5 * m1;
  const q6 = (column * negated) & MASK;
  column += q6 * m0;
  column = (column >> 29) + a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + q0 * m7 + q1 * m6 + q2 * m5 + q3 * m4 + q4 * m3 + q5 * m2 + q6 * m1;
  const q7 = (column * negated) & MASK;
  column += q7 * m0;
  column = (column >> 29) + a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + q0 * m8 + q1 * m7 + q2 * m6 + q3 * m5 + q4 * m4 + q5 * m3 + q6 * m2 + q7 * m1;
  const q8 = (column * negated) & MASK;
  column += q8 * m0;
  column = (column >> 29) + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + q1 * m8 + q2 * m7 + q3 * m6 + q4 * m5 + q5 * m4 + q6 * m3 + q7 * m2 + q8 * m1;
  store<u64>(to, column & MASK, 0);
  column = (column >> 29) + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + q2 * m8 + q3 * m7 + q4 * m6 + q5 * m5 + q6 * m4 + q7 * m3 + q8 * m2;
  store<u64>(to, column & MASK, 8);
  column = (column >> 29) + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + q3 * m8 + q4 * m7 + q5 * m6 + q6 * m5 + q7 * m4 + q8 * m3;
  store<u64>(to, column & MASK, 16);
  column = (column >> 29) + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + q4 * m8 + q5 * m7 + q6 * m6 + q7 * m5 + q8 * m4;
  store<u64>(to, column & MASK, 24);
  column = (column >> 29) + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + q5 * m8 + q6 * m7 + q7 * m6 + q8 * m5;
  store<u64>(to, column & MASK, 32);
  column = (column >> 29) + a6 * b8 + a7 * b7 + a8 * b6 + q6 * m8 + q7 * m7 + q8 * m6;
  store<u64>(to, column & MASK, 40);
  column = (column >> 29) + a7 * b8 + a8 * b7 + q7 * m8 + q8 * m7;
  store<u64>(to, column & MASK, 48);
  column = (column >> 29) + a8 * b8 + q8 * m8;
  store<u64>(to, column & MASK, 56);
  store<u64>(to, column >> 29, 64);
}
