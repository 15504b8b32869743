// Steps of the Miller loop for points of G2 in homogeneous coordinates, and the lines through them.
// Source: Costello, Lange and Naehrig, "Faster pairing computations on curves with high-degree twists", section 5, for
// y² = x³ + 4 ξ; coordinates are four times those of the paper, which saves halves.

import { SIZE, add, copy, double, multiply, negate, reduce, square, subtract, timesXi } from './fp2';

/** A line at a point (x, y) of G1: 1, x and y times what is in these three, in this order. */
export const LINE: usize = 3 * SIZE;

const A: usize = 0x5000;
const B: usize = 0x5080;
const C: usize = 0x5100;
const E: usize = 0x5180;
const F: usize = 0x5200;
const H: usize = 0x5280;
const T: usize = 0x5300;
const THETA: usize = 0x5380;
const LAMBDA: usize = 0x5400;

/** Doubles the point X ‖ Y ‖ Z; the line is its tangent. */
export function doublePoint(point: usize, line: usize): void {
  const y = point + SIZE;
  const z = point + 2 * SIZE;
  square(B, y);
  square(C, z);
  // E = 12 ξ Z², F = 3 E
  timesXi(E, C);
  double(E, E);
  reduce(E, E);
  double(E, E);
  add(F, E, E);
  add(E, E, F);
  reduce(E, E);
  add(F, E, E);
  add(F, F, E);
  add(H, y, z);
  square(H, H);
  subtract(H, H, B);
  subtract(H, H, C);
  subtract(line, E, B);
  square(T, point);
  add(line + SIZE, T, T);
  add(line + SIZE, line + SIZE, T);
  negate(line + 2 * SIZE, H);
  multiply(A, point, y);
  subtract(T, B, F);
  double(T, T);
  multiply(point, A, T);
  square(E, E);
  add(T, E, E);
  add(E, T, E);
  double(E, E);
  reduce(E, E);
  double(E, E);
  add(F, B, F);
  square(F, F);
  subtract(y, F, E);
  double(B, B);
  double(B, B);
  multiply(z, B, H);
}

/** Adds the affine point x ‖ y; the line goes through both. */
export function addPoint(point: usize, other: usize, line: usize): void {
  const y = point + SIZE;
  const z = point + 2 * SIZE;
  multiply(THETA, other + SIZE, z);
  subtract(THETA, y, THETA);
  multiply(LAMBDA, other, z);
  subtract(LAMBDA, point, LAMBDA);
  multiply(line, THETA, other);
  multiply(T, LAMBDA, other + SIZE);
  subtract(line, line, T);
  negate(line + SIZE, THETA);
  copy(line + 2 * SIZE, LAMBDA);
  square(C, THETA);
  square(A, LAMBDA);
  multiply(E, LAMBDA, A);
  multiply(F, z, C);
  multiply(A, point, A);
  add(H, E, F);
  subtract(H, H, A);
  subtract(H, H, A);
  multiply(point, LAMBDA, H);
  subtract(A, A, H);
  multiply(A, THETA, A);
  multiply(T, E, y);
  subtract(y, A, T);
  multiply(z, z, E);
}

