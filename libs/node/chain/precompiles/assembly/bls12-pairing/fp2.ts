// Arithmetic of the quadratic extension beside its products. Results may replace operands.

import { MODULUS, SIZE, excess, settle, timesU } from './limbs';
import { multiply, multiplyHalves } from './products';

export { SIZE, multiply, multiplyHalves };

/** Temporary numbers of this file. */
const LEFT: usize = 0x1000;
const RIGHT: usize = 0x1080;
const NORM: usize = 0x1100;
const POWER: usize = 0x1180;
/** The powers 0 to 15 of a number. */
const POWERS: usize = 0x21400;
const LAST: usize = SIZE - 16;

export function copy(to: usize, a: usize): void {
  memory.copy(to, a, SIZE);
}

export function add(to: usize, a: usize, b: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const sum = i32x4.add(v128.load(a + at), v128.load(b + at));
    const own = excess(sum);
    settle(to + at, sum, previous, own, at === LAST);
    previous = own;
  }
}

export function subtract(to: usize, a: usize, b: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const difference = i32x4.sub(v128.load(a + at), v128.load(b + at));
    const own = excess(difference);
    settle(to + at, difference, previous, own, at === LAST);
    previous = own;
  }
}

/** a − b − c */
export function subtractBoth(to: usize, a: usize, b: usize, c: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const both = i32x4.add(v128.load(b + at), v128.load(c + at));
    const difference = i32x4.sub(v128.load(a + at), both);
    const own = excess(difference);
    settle(to + at, difference, previous, own, at === LAST);
    previous = own;
  }
}

/** a + ξ b */
export function addTimesXi(to: usize, a: usize, b: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(b + at);
    const sum = i32x4.add(v128.load(a + at), i32x4.add(pairs, timesU(pairs)));
    const own = excess(sum);
    settle(to + at, sum, previous, own, at === LAST);
    previous = own;
  }
}

/** 3 a − 2 b */
export function tripleLessDouble(to: usize, a: usize, b: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(a + at);
    const half = i32x4.sub(pairs, v128.load(b + at));
    const difference = i32x4.add(i32x4.add(half, half), pairs);
    const own = excess(difference);
    settle(to + at, difference, previous, own, at === LAST);
    previous = own;
  }
}

/** 3 a + 2 b */
export function tripleAndDouble(to: usize, a: usize, b: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(a + at);
    const half = i32x4.add(pairs, v128.load(b + at));
    const sum = i32x4.add(i32x4.add(half, half), pairs);
    const own = excess(sum);
    settle(to + at, sum, previous, own, at === LAST);
    previous = own;
  }
}

@inline
export function double(to: usize, a: usize): void {
  add(to, a, a);
}

export function negate(to: usize, a: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const opposite = i32x4.neg(v128.load(a + at));
    const own = excess(opposite);
    settle(to + at, opposite, previous, own, at === LAST);
    previous = own;
  }
}

/** (a₀, −a₁) */
export function conjugate(to: usize, a: usize): void {
  const sign = i32x4(0, -1, 0, -1);
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = i32x4.sub(v128.xor(v128.load(a + at), sign), sign);
    const own = excess(pairs);
    settle(to + at, pairs, previous, own, at === LAST);
    previous = own;
  }
}

/** a (1 + u), the number whose sixth root makes the extension of degree twelve. */
export function timesXi(to: usize, a: usize): void {
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(a + at);
    const sum = i32x4.add(pairs, timesU(pairs));
    const own = excess(sum);
    settle(to + at, sum, previous, own, at === LAST);
    previous = own;
  }
}

/** The same number within −0.1 p and 1.1 p; the number given must be within −6 p and 8 p. */
export function reduce(to: usize, a: usize): void {
  // 2^26 / 630 is little above p / 2^364, in front of which are the last limbs.
  const times = i32x4.shr_s(i32x4.mul(v128.load(a, LAST), i32x4.splat(630)), 26);
  const multiple = v128.shuffle<i32>(times, times, 2, 3, 2, 3);
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = i32x4.sub(v128.load(a + at), i32x4.mul(multiple, v128.load(MODULUS + at)));
    const own = excess(pairs);
    settle(to + at, pairs, previous, own, at === LAST);
    previous = own;
  }
}

/** ((a₀ + a₁) (a₀ − a₁), 2 a₀ a₁) */
export function square(to: usize, a: usize): void {
  const second = i32x4(0, -1, 0, -1);
  let before = i64x2.splat(0);
  let previous = i64x2.splat(0);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(a + at);
    const turned = v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2);
    const sum = i32x4.add(v128.shuffle<i32>(pairs, pairs, 0, 0, 2, 2), turned);
    const ownSum = excess(sum);
    settle(LEFT + at, sum, before, ownSum, at === LAST);
    before = ownSum;
    const difference = v128.bitselect(pairs, i32x4.sub(pairs, turned), second);
    const own = excess(difference);
    settle(RIGHT + at, difference, previous, own, at === LAST);
    previous = own;
  }
  multiplyHalves(to, LEFT, RIGHT);
}

/**
 * The same power of both halves.
 * @param exponent - in 48 bytes, little-endian
 * @param one - 1 in both halves; to is not a
 */
export function raise(to: usize, a: usize, exponent: usize, one: usize): void {
  copy(POWERS, one);
  for (let index: usize = 1; index < 16; index++)
    multiplyHalves(POWERS + index * SIZE, POWERS + (index - 1) * SIZE, a);
  copy(to, one);
  for (let place: i32 = 95; place >= 0; place--) {
    for (let times = 0; times < 4; times++) multiplyHalves(to, to, to);
    const digit = <usize>(load<u8>(exponent + (place >> 1)) >> ((place & 1) << 2)) & 15;
    multiplyHalves(to, to, POWERS + digit * SIZE);
  }
}

/**
 * a⁻¹, and zero for zero.
 * @param exponent - p − 2 in 48 bytes, little-endian
 * @param one - 1 in both halves
 */
export function invert(to: usize, a: usize, exponent: usize, one: usize): void {
  // Both halves of the norm: a₀² + a₁².
  multiplyHalves(NORM, a, a);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const pairs = v128.load(NORM + at);
    v128.store(LEFT + at, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2));
  }
  add(NORM, NORM, LEFT);
  raise(POWER, NORM, exponent, one);
  conjugate(LEFT, a);
  multiplyHalves(to, LEFT, POWER);
}
