import { FIELD_MODULUS } from '../field.js';
import type { FunctionBody, ModuleWriter } from './module-writer.js';

/**
 * Field arithmetic in WebAssembly. An element in memory is nine limbs of 29 bits in Montgomery form (R = 2^261), each
 * in a 32-bit word, little-endian: `limb(4) · 9, unused(4)`. Values are below 3p, not below p: R leaves room enough
 * that nothing overflows, and only reading one out reduces it.
 */
const LIMBS = 9;
export const ELEMENT_BYTES = 40;
export const LIMB_BITS = 29n;
const MASK = (1n << LIMB_BITS) - 1n;
export const MONTGOMERY_RADIX = 1n << (LIMB_BITS * BigInt(LIMBS));

const limbsOf = (value: bigint) =>
  Array.from({ length: LIMBS }, (_, index) => (value >> (LIMB_BITS * BigInt(index))) & MASK);
const MODULUS = limbsOf(FIELD_MODULUS);
/** Added before a subtraction, so that the difference of values below 3p is positive. */
const FOUR_MODULI = [...limbsOf(4n * FIELD_MODULUS)];

/** −p⁻¹ modulo 2^29, by Newton's iteration. */
const NEGATED_INVERSE = (() => {
  let inverse = 1n;
  for (let round = 0; round < 5; round += 1)
    inverse = BigInt.asUintN(29, inverse * (2n - FIELD_MODULUS * inverse));
  return BigInt.asUintN(29, -inverse);
})();

export interface FieldFunctions {
  /** (result, a, b), which may be the same places. */
  readonly multiply: number;
  readonly square: number;
  readonly add: number;
  readonly subtract: number;
}

export function addFieldFunctions(module: ModuleWriter): FieldFunctions {
  addConversions(module);
  return {
    multiply: module.add('multiply', 3, writeMultiply),
    square: module.add('square', 2, writeSquare),
    add: module.add('add', 3, (body) => writeSum(body, 'add')),
    subtract: module.add('subtract', 3, (body) => writeSum(body, 'sub')),
  };
}

function loadLimbs(body: FunctionBody, parameter: number): number[] {
  const limbs = body.locals(LIMBS);
  limbs.forEach((limb, index) => body.load32(parameter, 4 * index).set(limb));
  return limbs;
}

/** column += a · b */
function accumulate(body: FunctionBody, column: number, a: () => void, b: () => void): void {
  body.get(column);
  a();
  b();
  body.apply('mul').apply('add').set(column);
}

/** Adds the multiple of p that clears the lowest column, and carries what is left of it into the next one. */
function reduceColumn(body: FunctionBody, columns: readonly number[], factor: number): void {
  const at = (index: number) => columns[index] as number;
  body.get(at(0)).constant(NEGATED_INVERSE).apply('mul').constant(MASK).apply('and').set(factor);
  MODULUS.forEach((limb, index) =>
    accumulate(
      body,
      at(index),
      () => body.get(factor),
      () => body.constant(limb),
    ),
  );
  body.get(at(1)).get(at(0)).constant(LIMB_BITS).apply('shrU').apply('add').set(at(1));
}

/** Carries, and stores nine limbs at the address in parameter 0. */
function storeCarried(body: FunctionBody, columns: readonly number[], shift: 'shrU' | 'shrS'): void {
  columns.forEach((column, index) => {
    const next = columns[index + 1];
    body.get(0).get(column);
    if (next !== undefined) body.constant(MASK).apply('and');
    body.store32(4 * index);
    if (next !== undefined)
      body.get(next).get(column).constant(LIMB_BITS).apply(shift).apply('add').set(next);
  });
}

/** a · b / R, row by row: a product row, then the reduction that makes its lowest column zero. */
function writeMultiply(body: FunctionBody): void {
  const a = loadLimbs(body, 1);
  const b = loadLimbs(body, 2);
  const columns = body.locals(2 * LIMBS);
  const factor = body.local();
  a.forEach((limb, row) => {
    b.forEach((other, index) =>
      accumulate(
        body,
        columns[row + index] as number,
        () => body.get(limb),
        () => body.get(other),
      ),
    );
    reduceColumn(body, columns.slice(row), factor);
  });
  storeCarried(body, columns.slice(LIMBS), 'shrU');
}

/** a² / R: each mixed product is taken once and doubled. */
function writeSquare(body: FunctionBody): void {
  const a = loadLimbs(body, 1);
  const doubled = body.locals(LIMBS);
  a.forEach((limb, index) =>
    body
      .get(limb)
      .constant(1n)
      .apply('shl')
      .set(doubled[index] as number),
  );
  const columns = body.locals(2 * LIMBS);
  const factor = body.local();
  a.forEach((limb, row) => {
    for (let index = row; index < LIMBS; index += 1) {
      accumulate(
        body,
        columns[row + index] as number,
        () => body.get(limb),
        () => body.get((index === row ? a : doubled)[index] as number),
      );
    }
  });
  a.forEach((_, row) => reduceColumn(body, columns.slice(row), factor));
  storeCarried(body, columns.slice(LIMBS), 'shrU');
}

const TOP = LIMBS - 1;
const QUOTIENT_BITS = 40n;
const QUOTIENT_FACTOR = (1n << QUOTIENT_BITS) / ((MODULUS[TOP] as bigint) + 1n);

/** a ± b, minus the multiple of p estimated from the top limb: below 3p again. */
function writeSum(body: FunctionBody, operator: 'add' | 'sub'): void {
  const columns = body.locals(LIMBS);
  columns.forEach((column, index) => {
    body
      .load32(1, 4 * index)
      .load32(2, 4 * index)
      .apply(operator);
    if (operator === 'sub') body.constant(FOUR_MODULI[index] as bigint).apply('add');
    body.set(column);
  });
  const quotient = body.local();
  body.get(columns[TOP] as number);
  // What the limbs below may borrow; a quotient that is too large would leave a negative number.
  if (operator === 'sub') body.constant(2n).apply('sub');
  body.constant(QUOTIENT_FACTOR).apply('mul');
  body.constant(QUOTIENT_BITS).apply('shrU').set(quotient);
  columns.forEach((column, index) =>
    body
      .get(column)
      .get(quotient)
      .constant(MODULUS[index] as bigint)
      .apply('mul')
      .apply('sub')
      .set(column),
  );
  storeCarried(body, columns, 'shrS');
}

/** `unpack(element, words)` and `pack(words, element)`: limbs from and to four 64-bit words, little-endian. */
function addConversions(module: ModuleWriter): void {
  module.add('unpack', 2, (body) => {
    const words = body.locals(4);
    words.forEach((word, index) => body.load64(1, 8 * index).set(word));
    for (let limb = 0; limb < LIMBS; limb += 1) {
      const [word, bit] = [Math.floor((29 * limb) / 64), (29 * limb) % 64];
      body
        .get(0)
        .get(words[word] as number)
        .constant(BigInt(bit))
        .apply('shrU');
      const next = words[word + 1];
      if (bit > 35 && next !== undefined)
        body
          .get(next)
          .constant(BigInt(64 - bit))
          .apply('shl')
          .apply('or');
      body
        .constant(MASK)
        .apply('and')
        .store32(4 * limb);
    }
  });
  module.add('pack', 2, (body) => {
    const limbs = loadLimbs(body, 1);
    for (let word = 0; word < 4; word += 1) {
      body.get(0).constant(0n);
      limbs.forEach((limb, index) => {
        const shift = 29 * index - 64 * word;
        if (shift <= -29 || shift >= 64) return;
        body
          .get(limb)
          .constant(BigInt(Math.abs(shift)))
          .apply(shift < 0 ? 'shrU' : 'shl')
          .apply('or');
      });
      body.store64(8 * word);
    }
  });
}
