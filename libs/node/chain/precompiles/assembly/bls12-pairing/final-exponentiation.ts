// The power (p¹² − 1) / r · 3, which is one if and only if the pairing is.
//
// The hard part is ((x − 1)² (x + p) (x² + p² − 1) + 3). Source: Hayashida, Hayasaka and Teruya, "Efficient final
// exponentiation via cyclotomic structure for pairings over families of elliptic curves", section 4.

import { conjugate12, copy12, frobenius, invert12, multiply12, squareCyclotomic } from './fp12';

const POWER: usize = 0x4000;
const F: usize = 0x4300;
const A: usize = 0x4600;
const B: usize = 0x4900;

/** The parameter x of the curve is the negative of this. */
export const X: u64 = 0xd201000000010000;

/** a^x */
function raiseToX(to: usize, a: usize): void {
  copy12(POWER, a);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    squareCyclotomic(POWER);
    if ((X >> bit) & 1) multiply12(POWER, POWER, a);
  }
  conjugate12(to, POWER);
}

/** a^(x − 1), in place. */
function raiseToXLessOne(a: usize): void {
  raiseToX(B, a);
  conjugate12(a, a);
  multiply12(a, a, B);
}

/**
 * In place.
 * @param factors - of the power p
 * @param exponent - as for the inverse
 * @param one - as for the inverse
 */
export function exponentiate(f: usize, factors: usize, exponent: usize, one: usize): void {
  invert12(A, f, exponent, one);
  conjugate12(F, f);
  multiply12(F, F, A);
  frobenius(A, F, factors);
  frobenius(A, A, factors);
  multiply12(F, F, A);
  copy12(A, F);
  raiseToXLessOne(A);
  raiseToXLessOne(A);
  raiseToX(B, A);
  frobenius(A, A, factors);
  multiply12(A, A, B);
  raiseToX(B, A);
  raiseToX(B, B);
  frobenius(POWER, A, factors);
  frobenius(POWER, POWER, factors);
  multiply12(B, B, POWER);
  conjugate12(A, A);
  multiply12(B, B, A);
  copy12(A, F);
  squareCyclotomic(A);
  multiply12(A, A, F);
  multiply12(f, A, B);
}
