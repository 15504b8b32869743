// The extension of degree six: a₀ + a₁ v + a₂ v², v³ = ξ, as three numbers one after the other.
// Results of products are within −0.1 p and 1.1 p, and may replace operands.

import {
  SIZE,
  add,
  addTimesXi,
  copy,
  invert,
  multiply,
  negate,
  reduce,
  square,
  subtract,
  subtractBoth,
  timesXi,
} from './fp2';

export const SIZE6: usize = 3 * SIZE;

const T0: usize = 0x2000;
const T1: usize = 0x2080;
const T2: usize = 0x2100;
const S: usize = 0x2180;
const R: usize = 0x2200;
const C0: usize = 0x2280;
const C1: usize = 0x2300;

@inline
function at(a: usize, index: usize): usize {
  return a + index * SIZE;
}

export function add6(to: usize, a: usize, b: usize): void {
  for (let index: usize = 0; index < 3; index++) add(at(to, index), at(a, index), at(b, index));
}

export function subtract6(to: usize, a: usize, b: usize): void {
  for (let index: usize = 0; index < 3; index++) subtract(at(to, index), at(a, index), at(b, index));
}

export function negate6(to: usize, a: usize): void {
  for (let index: usize = 0; index < 3; index++) negate(at(to, index), at(a, index));
}

/** a v */
export function timesV(to: usize, a: usize): void {
  timesXi(S, at(a, 2));
  copy(at(to, 2), at(a, 1));
  copy(at(to, 1), a);
  copy(to, S);
}

/** (aᵢ + aⱼ) (bᵢ + bⱼ) − tᵢ − tⱼ: aᵢ bⱼ + aⱼ bᵢ */
function cross(to: usize, a: usize, b: usize, i: usize, j: usize, ti: usize, tj: usize): void {
  add(S, at(a, i), at(a, j));
  add(R, at(b, i), at(b, j));
  multiply(to, S, R);
  subtractBoth(to, to, ti, tj);
}

export function multiply6(to: usize, a: usize, b: usize): void {
  multiply(T0, a, b);
  multiply(T1, at(a, 1), at(b, 1));
  multiply(T2, at(a, 2), at(b, 2));
  cross(C0, a, b, 1, 2, T1, T2);
  addTimesXi(C0, T0, C0);
  cross(C1, a, b, 0, 1, T0, T1);
  addTimesXi(C1, C1, T2);
  cross(S, a, b, 0, 2, T0, T2);
  add(S, S, T1);
  reduce(to, C0);
  reduce(at(to, 1), C1);
  reduce(at(to, 2), S);
}

/** a (b₀ + b₁ v) */
export function multiplyBy01(to: usize, a: usize, b0: usize, b1: usize): void {
  multiply(T0, a, b0);
  multiply(T1, at(a, 1), b1);
  add(S, at(a, 1), at(a, 2));
  multiply(C0, S, b1);
  subtract(C0, C0, T1);
  addTimesXi(C0, T0, C0);
  add(S, a, at(a, 1));
  add(R, b0, b1);
  multiply(C1, S, R);
  subtractBoth(C1, C1, T0, T1);
  add(S, a, at(a, 2));
  multiply(S, S, b0);
  subtract(S, S, T0);
  add(S, S, T1);
  reduce(to, C0);
  reduce(at(to, 1), C1);
  reduce(at(to, 2), S);
}

/** a (1 + b₁ v) */
export function multiplyByUnit(to: usize, a: usize, b1: usize): void {
  multiply(T0, at(a, 2), b1);
  multiply(T1, a, b1);
  multiply(T2, at(a, 1), b1);
  addTimesXi(T0, a, T0);
  add(T1, at(a, 1), T1);
  add(T2, at(a, 2), T2);
  reduce(to, T0);
  reduce(at(to, 1), T1);
  reduce(at(to, 2), T2);
}

/** a b₁ v */
export function multiplyBy1(to: usize, a: usize, b1: usize): void {
  multiply(S, at(a, 2), b1);
  multiply(at(to, 2), at(a, 1), b1);
  multiply(at(to, 1), a, b1);
  timesXi(S, S);
  reduce(to, S);
}

/**
 * a⁻¹.
 * @param exponent - as for {@link invert}
 */
export function invert6(to: usize, a: usize, exponent: usize, one: usize): void {
  square(C0, a);
  multiply(S, at(a, 1), at(a, 2));
  timesXi(S, S);
  subtract(C0, C0, S);
  square(C1, at(a, 2));
  timesXi(C1, C1);
  multiply(S, a, at(a, 1));
  subtract(C1, C1, S);
  square(T2, at(a, 1));
  multiply(S, a, at(a, 2));
  subtract(T2, T2, S);
  multiply(T0, at(a, 2), C1);
  multiply(T1, at(a, 1), T2);
  add(T0, T0, T1);
  timesXi(T0, T0);
  multiply(T1, a, C0);
  add(T0, T0, T1);
  invert(T0, T0, exponent, one);
  multiply(to, C0, T0);
  multiply(at(to, 1), C1, T0);
  multiply(at(to, 2), T2, T0);
}
