// Points of y² = x³ + b in Jacobian coordinates X ‖ Y ‖ Z: of two points of G1 at a time, a half each, or of one of G2.
// Source: Bernstein and Lange, Explicit-Formulas Database, "dbl-2009-l" and "add-1998-cmo-2" for a = 0.
//
// Additions have no special cases: in the sum of a point with itself, its opposite or infinity, Z is zero, and stays zero in all
// that follows. Multiples of a point of the subgroup never lead to such a sum.
// X and Y stay within −11 p and 4 p, Z within −1 p and 3 p.

import { SIZE, add, double, multiply, multiplyHalves, reduce, square, subtract } from './fp2';

/** What the halves of a number are: numbers of two points, or the parts of one of the quadratic extension. */
export type Halves = u32;
export type Extension = u64;

const A: usize = 0x20000;
const B: usize = 0x20080;
const C: usize = 0x20100;
const D: usize = 0x20180;
const E: usize = 0x20200;

@inline
export function product<Parts>(to: usize, a: usize, b: usize): void {
  if (sizeof<Parts>() === sizeof<Halves>()) multiplyHalves(to, a, b);
  else multiply(to, a, b);
}

@inline
export function squared<Parts>(to: usize, a: usize): void {
  if (sizeof<Parts>() === sizeof<Halves>()) multiplyHalves(to, a, a);
  else square(to, a);
}

export function doubleJacobian<Parts>(point: usize): void {
  const y = point + SIZE;
  const z = point + 2 * SIZE;
  squared<Parts>(A, point);
  squared<Parts>(B, y);
  squared<Parts>(C, B);
  // D = 2 ((X + Y²)² − X² − Y⁴), E = 3 X²
  add(D, point, B);
  squared<Parts>(D, D);
  subtract(D, D, A);
  subtract(D, D, C);
  double(D, D);
  reduce(D, D);
  add(E, A, A);
  add(E, E, A);
  product<Parts>(z, y, z);
  double(z, z);
  squared<Parts>(point, E);
  subtract(point, point, D);
  subtract(point, point, D);
  subtract(D, D, point);
  product<Parts>(y, E, D);
  double(C, C);
  double(C, C);
  double(C, C);
  subtract(y, y, C);
}

/** Adds the point x ‖ y. */
export function addAffine<Parts>(point: usize, other: usize): void {
  const z = point + 2 * SIZE;
  squared<Parts>(A, z);
  product<Parts>(B, other, A);
  product<Parts>(A, A, z);
  product<Parts>(A, other + SIZE, A);
  addDifferences<Parts>(point);
}

/** Adds the point X ‖ Y ‖ Z ‖ Z² ‖ Z³. */
export function addJacobian<Parts>(point: usize, other: usize): void {
  const y = point + SIZE;
  const z = point + 2 * SIZE;
  squared<Parts>(A, z);
  product<Parts>(B, other, A);
  product<Parts>(A, A, z);
  product<Parts>(A, other + SIZE, A);
  product<Parts>(point, point, other + 3 * SIZE);
  product<Parts>(y, y, other + 4 * SIZE);
  product<Parts>(z, z, other + 2 * SIZE);
  addDifferences<Parts>(point);
}

/** The rest of an addition, from both points with the same Z: one in place, X and Y of the other in B and A. */
function addDifferences<Parts>(point: usize): void {
  const y = point + SIZE;
  const z = point + 2 * SIZE;
  subtract(B, B, point);
  subtract(A, A, y);
  product<Parts>(z, z, B);
  squared<Parts>(C, B);
  product<Parts>(D, B, C);
  product<Parts>(C, point, C);
  squared<Parts>(point, A);
  subtract(point, point, D);
  subtract(point, point, C);
  subtract(point, point, C);
  subtract(C, C, point);
  product<Parts>(C, A, C);
  product<Parts>(D, y, D);
  subtract(y, C, D);
}
