// AssemblyScript: products of pairings on BLS12-381, whether points are in their subgroups, as those of pairings must be, and roots.
// Points are on their curves, and not infinity.
//
// The host writes the constants once (constants.ts), then the coordinates of some pairs, big-endian, and has their Miller
// loops multiplied; at last it reads the result. Nothing here depends on secrets.

import { EXPONENT, FACTORS, INPUT, ONE, ONES } from './bls12-pairing/constants';
import { SIZE, copy, invert, multiply, multiplyHalves } from './bls12-pairing/fp2';
import {
  SIZE12,
  conjugate12,
  multiply12,
  multiplyByLine,
  multiplyByUnitLine,
  square12,
} from './bls12-pairing/fp12';
import { X, exponentiate } from './bls12-pairing/final-exponentiation';
import { readPair } from './bls12-pairing/input';
import { LINE, addPoint, doublePoint } from './bls12-pairing/miller-loop';

export { findY } from './bls12-pairing/roots';
export { checkFirst, checkSecond } from './bls12-pairing/subgroups';

/** The product of all Miller loops until now, and what its final exponentiation makes of it: 12 numbers of the field. */
const PRODUCT: usize = 0x6000;
const LOOP: usize = 0x6300;
const LINE_HERE: usize = 0x6600;
/** Pairs: x and y of G1, each in both halves; x and y of G2; the multiple of that, X ‖ Y ‖ Z. */
const PAIRS: usize = 0x8000;
const PAIR: usize = 7 * SIZE;
/** The lines of fixed points of G2, in the order in which the loop needs them. */
const LINES: usize = 0x10000;
const LINES_SIZE: usize = 0x6000;

/** Begins with the product one. */
export function begin(): void {
  setOne(PRODUCT);
}

/** Takes the pair at the input up as the pair of that number, from 0 to 31. */
export function takePair(index: u32): void {
  takeFirst(index);
  const pair = PAIRS + <usize>index * PAIR;
  readPair(pair + 2 * SIZE, INPUT + 128);
  readPair(pair + 3 * SIZE, INPUT + 256);
  memory.copy(pair + 4 * SIZE, pair + 2 * SIZE, 2 * SIZE);
  copy(pair + 6 * SIZE, ONE);
}

/** Takes up only the point of G1 at the input, for a fixed point. */
export function takeFirst(index: u32): void {
  const pair = PAIRS + <usize>index * PAIR;
  readPair(pair, INPUT);
  for (let at: usize = 0; at < SIZE; at += 16) {
    const xy = v128.load(pair + at);
    v128.store(pair + SIZE + at, v128.shuffle<i32>(xy, xy, 1, 1, 3, 3));
    v128.store(pair + at, v128.shuffle<i32>(xy, xy, 0, 0, 2, 2));
  }
}

/** Keeps the lines of the pair's point of G2 under that number, from 0 to 1; the first part of each is one. */
export function keepLines(index: u32): void {
  const point = PAIRS + <usize>index * PAIR + 4 * SIZE;
  let line = LINES + <usize>index * LINES_SIZE;
  for (let bit: i32 = 62; bit >= 0; bit--) {
    doublePoint(point, line);
    divideLine(line);
    line += LINE;
    if ((X >> bit) & 1) {
      addPoint(point, point - 2 * SIZE, line);
      divideLine(line);
      line += LINE;
    }
  }
}

/** By its first part: the final exponentiation makes one of every factor of the quadratic extension. */
function divideLine(line: usize): void {
  invert(line, line, EXPONENT, ONES);
  multiply(line + SIZE, line + SIZE, line);
  multiply(line + 2 * SIZE, line + 2 * SIZE, line);
}

/** Multiplies the product by the Miller loops of the first pairs. */
export function multiplyPairs(count: u32): void {
  setOne(LOOP);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    square12(LOOP, LOOP);
    for (let pair: usize = PAIRS; pair < PAIRS + <usize>count * PAIR; pair += PAIR) {
      doublePoint(pair + 4 * SIZE, LINE_HERE);
      multiplyAt(pair, LINE_HERE);
      if ((X >> bit) & 1) {
        addPoint(pair + 4 * SIZE, pair + 2 * SIZE, LINE_HERE);
        multiplyAt(pair, LINE_HERE);
      }
    }
  }
  endLoop();
}

/** Multiplies the product by the Miller loops of points of G1, from the first up to the last, and the lines kept. */
export function multiplyKept(first: u32, last: u32): void {
  setOne(LOOP);
  let line = LINES;
  for (let bit: i32 = 62; bit >= 0; bit--) {
    square12(LOOP, LOOP);
    for (let steps = 1 + <u32>((X >> bit) & 1); steps > 0; steps--) {
      for (let index = first; index <= last; index++) {
        multiplyAtUnit(PAIRS + <usize>index * PAIR, line + <usize>index * LINES_SIZE);
      }
      line += LINE;
    }
  }
  endLoop();
}

/** Replaces the product by its final exponentiation. */
export function end(): void {
  exponentiate(PRODUCT, FACTORS, EXPONENT, ONES);
}

/** Multiplies the loop by the line at the point of G1. */
function multiplyAt(pair: usize, line: usize): void {
  multiplyHalves(LINE_HERE + LINE, line + SIZE, pair);
  multiplyHalves(LINE_HERE + LINE + SIZE, line + 2 * SIZE, pair + SIZE);
  multiplyByLine(LOOP, LOOP, line, LINE_HERE + LINE, LINE_HERE + LINE + SIZE);
}

/** The same for a line that is kept. */
function multiplyAtUnit(pair: usize, line: usize): void {
  multiplyHalves(LINE_HERE + LINE, line + SIZE, pair);
  multiplyHalves(LINE_HERE + LINE + SIZE, line + 2 * SIZE, pair + SIZE);
  multiplyByUnitLine(LOOP, LOOP, LINE_HERE + LINE, LINE_HERE + LINE + SIZE);
}

/** The parameter of the curve is negative: what the loop makes for its amount is inverted, up to the final power. */
function endLoop(): void {
  conjugate12(LOOP, LOOP);
  multiply12(PRODUCT, PRODUCT, LOOP);
}

function setOne(to: usize): void {
  memory.fill(to, 0, SIZE12);
  copy(to, ONE);
}
