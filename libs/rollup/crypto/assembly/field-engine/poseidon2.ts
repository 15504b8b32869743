// The permutation of Poseidon2 over four numbers, with the round constants in the order of the rounds.

import { SIZE, add } from './field';
import { CONSTANTS, DIAGONAL, STATE, scratch } from './layout';
import { multiply } from './multiply';
import { square } from './square';

const WIDTH: usize = 4;
const FULL_ROUNDS = 8;
const PARTIAL_ROUNDS = 56;
const X0: usize = STATE;
const X1: usize = STATE + SIZE;
const X2: usize = STATE + 2 * SIZE;
const X3: usize = STATE + 3 * SIZE;

export function permute(): void {
  mixExternally();
  let constant = fullRounds(CONSTANTS);
  for (let round = 0; round < PARTIAL_ROUNDS; round++) {
    raise(X0, constant);
    mixInternally();
    constant += SIZE;
  }
  fullRounds(constant);
}

/** Half of the full rounds, from that constant on; returns the address of the next one. */
function fullRounds(first: usize): usize {
  let constant = first;
  for (let round = 0; round < FULL_ROUNDS / 2; round++) {
    for (let index: usize = 0; index < WIDTH; index++) {
      raise(STATE + index * SIZE, constant);
      constant += SIZE;
    }
    mixExternally();
  }
  return constant;
}

/** number = (number + constant)^5 */
function raise(number: usize, constant: usize): void {
  const power = scratch(0);
  add(number, number, constant);
  square(power, number);
  square(power, power);
  multiply(number, number, power);
}

/** The external matrix, by the chain of additions of the Poseidon2 paper, appendix B. */
function mixExternally(): void {
  const t0 = scratch(0);
  const t1 = scratch(1);
  const t2 = scratch(2);
  const t3 = scratch(3);
  const t4 = scratch(4);
  const t5 = scratch(5);
  add(t0, X0, X1);
  add(t1, X2, X3);
  add(t2, X1, X1);
  add(t2, t2, t1);
  add(t3, X3, X3);
  add(t3, t3, t0);
  add(t4, t1, t1);
  add(t4, t4, t4);
  add(t5, t0, t0);
  add(t5, t5, t5);
  // Rows one and three are their numbers of the state at once.
  add(X1, t5, t2);
  add(X3, t4, t3);
  add(X0, t3, X1);
  add(X2, t2, X3);
}

/** The internal matrix: its diagonal, less one, and the sum of the state in every row. */
function mixInternally(): void {
  const sum = scratch(0);
  const half = scratch(1);
  add(sum, X0, X1);
  add(half, X2, X3);
  add(sum, sum, half);
  for (let index: usize = 0; index < WIDTH; index++) {
    const number = STATE + index * SIZE;
    multiply(number, number, DIAGONAL + index * SIZE);
    add(number, number, sum);
  }
}
