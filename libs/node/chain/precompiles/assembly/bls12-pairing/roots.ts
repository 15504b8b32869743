// The y of points of G1 whose x is known, of two at a time.

import { FOURS, INPUT, ONES, PLAIN_ONES, RESULTS, ROOT_EXPONENT } from './constants';
import { SIZE, add, multiplyHalves, raise, subtract } from './fp2';
import { readPair } from './input';

const X: usize = 0x20400;
const SQUARE: usize = 0x20480;
const Y: usize = 0x20500;

/** At the input: x ‖ x. Writes zero where the x has a point, and its y, not in Montgomery's form. */
export function findY(): void {
  readPair(X, INPUT);
  multiplyHalves(SQUARE, X, X);
  multiplyHalves(SQUARE, SQUARE, X);
  add(SQUARE, SQUARE, FOURS);
  raise(Y, SQUARE, ROOT_EXPONENT, ONES);
  multiplyHalves(RESULTS, Y, Y);
  subtract(RESULTS, RESULTS, SQUARE);
  multiplyHalves(RESULTS + SIZE, Y, PLAIN_ONES);
}
