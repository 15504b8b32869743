// Whether points are in their subgroups: x² times a point of the subgroup of G1 is the opposite of (β x, y), and x times one of
// that of G2 is ψ of it, where x is the parameter of the curve. Of other points on the curves neither holds.
// Source: Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves".

import { BETA, INPUT, ONE, ONES, PSI_X, PSI_Y, RESULTS } from './constants';
import { X } from './final-exponentiation';
import { SIZE, add, conjugate, copy, multiply, subtract } from './fp2';
import { readPair } from './input';
import { Extension, Halves, addAffine, addJacobian, doubleJacobian, product, squared } from './jacobian';

/** The point x ‖ y, its multiple X ‖ Y ‖ Z ‖ Z² ‖ Z³, and a multiple that is added. */
const POINT: usize = 0x20400;
const MULTIPLE: usize = 0x20800;
const ADDED: usize = 0x20c00;
const Z: usize = 2 * SIZE;
const Z2: usize = 3 * SIZE;
const Z3: usize = 4 * SIZE;

/** Of two points of G1 at a time. At the input: x ‖ x ‖ y ‖ y */
export function checkFirst(): void {
  readPoint();
  copy(MULTIPLE + Z, ONES);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    doubleJacobian<Halves>(MULTIPLE);
    if ((X >> bit) & 1) addAffine<Halves>(MULTIPLE, POINT);
  }
  writePowers<Halves>();
  memory.copy(ADDED, MULTIPLE, 5 * SIZE);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    doubleJacobian<Halves>(MULTIPLE);
    if ((X >> bit) & 1) addJacobian<Halves>(MULTIPLE, ADDED);
  }
  product<Halves>(POINT, POINT, BETA);
  writeDifferences<Halves>();
}

/** Of one point of G2. At the input: x ‖ y, of two parts each */
export function checkSecond(): void {
  readPoint();
  copy(MULTIPLE + Z, ONE);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    doubleJacobian<Extension>(MULTIPLE);
    if ((X >> bit) & 1) addAffine<Extension>(MULTIPLE, POINT);
  }
  conjugate(POINT, POINT);
  multiply(POINT, POINT, PSI_X);
  conjugate(POINT + SIZE, POINT + SIZE);
  multiply(POINT + SIZE, POINT + SIZE, PSI_Y);
  writeDifferences<Extension>();
}

function readPoint(): void {
  readPair(POINT, INPUT);
  readPair(POINT + SIZE, INPUT + 128);
  memory.copy(MULTIPLE, POINT, 2 * SIZE);
}

function writePowers<Parts>(): void {
  squared<Parts>(MULTIPLE + Z2, MULTIPLE + Z);
  product<Parts>(MULTIPLE + Z3, MULTIPLE + Z2, MULTIPLE + Z);
}

/** Writes two differences of the point and the opposite of its multiple, zero where it is in the subgroup, and Z, which is not. */
function writeDifferences<Parts>(): void {
  writePowers<Parts>();
  product<Parts>(RESULTS, POINT, MULTIPLE + Z2);
  subtract(RESULTS, RESULTS, MULTIPLE);
  product<Parts>(RESULTS + SIZE, POINT + SIZE, MULTIPLE + Z3);
  add(RESULTS + SIZE, RESULTS + SIZE, MULTIPLE + SIZE);
  copy(RESULTS + Z, MULTIPLE + Z);
}
