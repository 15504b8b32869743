// The extension of degree twelve: a₀ + a₁ w, w² = v, as two of degree six.

import {
  SIZE,
  add,
  addTimesXi,
  conjugate,
  multiply,
  reduce,
  square,
  subtractBoth,
  timesXi,
  tripleAndDouble,
  tripleLessDouble,
} from './fp2';
import {
  SIZE6,
  add6,
  invert6,
  multiply6,
  multiplyBy01,
  multiplyBy1,
  multiplyByUnit,
  negate6,
  subtract6,
  timesV,
} from './fp6';

export const SIZE12: usize = 2 * SIZE6;

const A: usize = 0x3000;
const B: usize = 0x3180;
const C: usize = 0x3300;
const D: usize = 0x3480;
const O: usize = 0x3600;

export function copy12(to: usize, a: usize): void {
  memory.copy(to, a, SIZE12);
}

/** The inverse of what has the norm one over the extension of degree six. */
export function conjugate12(to: usize, a: usize): void {
  memory.copy(to, a, SIZE6);
  negate6(to + SIZE6, a + SIZE6);
}

export function multiply12(to: usize, a: usize, b: usize): void {
  multiply6(A, a, b);
  multiply6(B, a + SIZE6, b + SIZE6);
  add6(C, a, a + SIZE6);
  add6(D, b, b + SIZE6);
  multiply6(C, C, D);
  subtract6(C, C, A);
  subtract6(to + SIZE6, C, B);
  timesV(B, B);
  add6(to, A, B);
}

export function square12(to: usize, a: usize): void {
  multiply6(A, a, a + SIZE6);
  timesV(B, a + SIZE6);
  add6(B, B, a);
  add6(C, a, a + SIZE6);
  multiply6(C, C, B);
  subtract6(C, C, A);
  add6(to + SIZE6, A, A);
  timesV(A, A);
  subtract6(to, C, A);
}

/** a (b₀ + b₁ v + b₄ v w): the product with a line. */
export function multiplyByLine(to: usize, a: usize, b0: usize, b1: usize, b4: usize): void {
  multiplyBy01(A, a, b0, b1);
  multiplyBy1(B, a + SIZE6, b4);
  add6(C, a, a + SIZE6);
  add(O, b1, b4);
  multiplyBy01(C, C, b0, O);
  subtract6(C, C, A);
  subtract6(to + SIZE6, C, B);
  timesV(B, B);
  add6(to, A, B);
}

/** a (1 + b₁ v + b₄ v w): the product with a line that was divided by its first part. */
export function multiplyByUnitLine(to: usize, a: usize, b1: usize, b4: usize): void {
  multiplyByUnit(A, a, b1);
  multiplyBy1(B, a + SIZE6, b4);
  add6(C, a, a + SIZE6);
  add(O, b1, b4);
  multiplyByUnit(C, C, O);
  subtract6(C, C, A);
  subtract6(to + SIZE6, C, B);
  timesV(B, B);
  add6(to, A, B);
}

/**
 * a⁻¹.
 * @param exponent - as for the inverse of degree six
 */
export function invert12(to: usize, a: usize, exponent: usize, one: usize): void {
  multiply6(A, a, a);
  multiply6(B, a + SIZE6, a + SIZE6);
  timesV(B, B);
  subtract6(A, A, B);
  invert6(B, A, exponent, one);
  multiply6(to, a, B);
  multiply6(A, a + SIZE6, B);
  negate6(to + SIZE6, A);
}

/**
 * The power p of a.
 * @param factors - powers 0 to 5 of ξ^((p − 1) / 6)
 */
export function frobenius(to: usize, a: usize, factors: usize): void {
  for (let index: usize = 0; index < 6; index++) {
    // The power of w that the number belongs to.
    const power = index < 3 ? 2 * index : 2 * index - 5;
    conjugate(O, a + index * SIZE);
    multiply(to + index * SIZE, O, factors + power * SIZE);
  }
}

/** (a² + ξ b², 2 a b): the square in the extension of degree four. */
function square4(to0: usize, to1: usize, a: usize, b: usize): void {
  square(D, a);
  square(D + SIZE, b);
  add(to1, a, b);
  square(to1, to1);
  subtractBoth(to1, to1, D, D + SIZE);
  reduce(to1, to1);
  addTimesXi(to0, D, D + SIZE);
  reduce(to0, to0);
}

/**
 * The square of what the power (p⁶ − 1)(p² + 1) made, in place.
 * Source: Granger and Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions", section 3.2.
 */
export function squareCyclotomic(a: usize): void {
  const z0 = a;
  const z4 = a + SIZE;
  const z3 = a + 2 * SIZE;
  const z2 = a + SIZE6;
  const z1 = z2 + SIZE;
  const z5 = z2 + 2 * SIZE;
  square4(A, A + SIZE, z0, z1);
  square4(B, B + SIZE, z2, z3);
  square4(C, C + SIZE, z4, z5);
  timesXi(C + SIZE, C + SIZE);
  reduce(C + SIZE, C + SIZE);
  lessDouble(z0, A);
  andDouble(z1, A + SIZE);
  lessDouble(z4, B);
  andDouble(z5, B + SIZE);
  andDouble(z2, C + SIZE);
  lessDouble(z3, C);
}

/** 3 t − 2 z in place of z. */
function lessDouble(z: usize, t: usize): void {
  tripleLessDouble(z, t, z);
  reduce(z, z);
}

/** 3 t + 2 z in place of z. */
function andDouble(z: usize, t: usize): void {
  tripleAndDouble(z, t, z);
  reduce(z, z);
}
