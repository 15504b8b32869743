import { FULL_ROUNDS, PARTIAL_ROUNDS, STATE_WIDTH } from '../poseidon2-constants.js';
import { ELEMENT_BYTES, type FieldFunctions } from './field-functions.js';
import type { FunctionBody, ModuleWriter, Place } from './module-writer.js';

/** Where the permutation keeps things: fixed addresses. */
export interface PoseidonLayout {
  /** Four elements. */
  readonly state: number;
  /** Round constants in the order of the rounds. */
  readonly constants: number;
  readonly diagonal: number;
  /** Eight elements. */
  readonly scratch: number;
}

/** Adds `permute()`: the Poseidon2 permutation of width 4 over the state. */
export function addPermutation(module: ModuleWriter, field: FieldFunctions, layout: PoseidonLayout): void {
  const place = (base: number, index: number): Place => ({ offset: base + ELEMENT_BYTES * index });
  const state = (index: number) => place(layout.state, index);
  const scratch = (index: number) => place(layout.scratch, index);
  const sbox = module.add('sbox', 2, (body) => writeSbox(body, field, scratch(7)));
  const external = module.add('external', 0, (body) => writeExternal(body, field, state, scratch));
  const internal = module.add('internal', 0, (body) =>
    writeInternal(body, field, { state, scratch, diagonal: (index) => place(layout.diagonal, index) }),
  );
  module.add('permute', 0, (body) => {
    let next = 0;
    const constant = () => place(layout.constants, next++);
    const fullRounds = () => {
      for (let round = 0; round < FULL_ROUNDS / 2; round += 1) {
        for (let index = 0; index < STATE_WIDTH; index += 1) body.call(sbox, state(index), constant());
        body.call(external);
      }
    };
    body.call(external);
    fullRounds();
    for (let round = 0; round < PARTIAL_ROUNDS; round += 1)
      body.call(sbox, state(0), constant()).call(internal);
    fullRounds();
  });
}

/** (element, constant): element = (element + constant)^5 */
function writeSbox(body: FunctionBody, field: FieldFunctions, power: Place): void {
  const element = { parameter: 0, offset: 0 };
  body.call(field.add, element, element, { parameter: 1, offset: 0 });
  body.call(field.square, power, element).call(field.square, power, power);
  body.call(field.multiply, element, element, power);
}

type At = (index: number) => Place;

/** The external matrix by the addition chain of the Poseidon2 paper, appendix B. */
function writeExternal(body: FunctionBody, { add }: FieldFunctions, state: At, scratch: At): void {
  const sum = (result: Place, a: Place, b: Place) => body.call(add, result, a, b);
  const [x0, x1, x2, x3] = [state(0), state(1), state(2), state(3)];
  const [t0, t1, t2, t3, t4, t5] = [scratch(0), scratch(1), scratch(2), scratch(3), scratch(4), scratch(5)];
  sum(t0, x0, x1);
  sum(t1, x2, x3);
  sum(t2, x1, x1);
  sum(t2, t2, t1);
  sum(t3, x3, x3);
  sum(t3, t3, t0);
  sum(t4, t1, t1);
  sum(t4, t4, t4);
  sum(t5, t0, t0);
  sum(t5, t5, t5);
  // What rows one and three are goes into the state at once.
  sum(x1, t5, t2);
  sum(x3, t4, t3);
  sum(x0, t3, x1);
  sum(x2, t2, x3);
}

/** The internal matrix: a diagonal, plus the sum of the state in every row. */
function writeInternal(
  body: FunctionBody,
  { add, multiply }: FieldFunctions,
  { state, scratch, diagonal }: { readonly state: At; readonly scratch: At; readonly diagonal: At },
): void {
  body.call(add, scratch(0), state(0), state(1));
  body.call(add, scratch(1), state(2), state(3));
  body.call(add, scratch(0), scratch(0), scratch(1));
  for (let index = 0; index < STATE_WIDTH; index += 1) {
    body.call(multiply, state(index), state(index), diagonal(index));
    body.call(add, state(index), state(index), scratch(0));
  }
}
