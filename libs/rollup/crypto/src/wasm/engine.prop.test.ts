import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MODULUS, modulo } from '../field.js';
import { fieldEngine } from './engine.js';
import { ELEMENT_BYTES } from './layout.js';

const engine = fieldEngine();
const registers = engine.allocate(4);
const [a, b, result, kept] = [0, 1, 2, 3].map((index) => registers + ELEMENT_BYTES * index) as [
  number,
  number,
  number,
  number,
];

/** All words of 256 bits, and those next to multiples of the modulus, where reductions differ by one. */
const words = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: -2n, max: 2n }))
    .map(([multiple, offset]) => BigInt.asUintN(256, modulo(multiple * FIELD_MODULUS + offset, 2n ** 256n))),
  fc.nat({ max: 255 }).map((bit) => 1n << BigInt(bit)),
);

/** Each changes the result in the engine by the second operand, and answers what integers give. */
const STEPS = {
  add: (value: bigint, other: bigint) => {
    engine.run.add(result, result, b);
    return (value + other) % FIELD_MODULUS;
  },
  subtract: (value: bigint, other: bigint) => {
    engine.run.subtract(result, result, b);
    return modulo(value - other, FIELD_MODULUS);
  },
  negate: (value: bigint, other: bigint) => {
    engine.run.subtract(result, b, result);
    return modulo(other - value, FIELD_MODULUS);
  },
  multiply: (value: bigint, other: bigint) => {
    engine.run.multiply(result, result, b);
    return (value * other) % FIELD_MODULUS;
  },
  square: (value: bigint) => {
    engine.run.square(result, result);
    return (value * value) % FIELD_MODULUS;
  },
};

describe('arithmetic of the field engine', () => {
  it('reads the residue of what was written', () => {
    fc.assert(
      fc.property(words, (value) => {
        engine.write(a, value);
        expect(engine.read(a)).toBe(value % FIELD_MODULUS);
      }),
    );
  });

  it('adds, subtracts, multiplies and squares as integers modulo p do', () => {
    fc.assert(
      fc.property(words, words, (left, right) => {
        engine.write(a, left);
        engine.write(b, right);
        engine.run.add(result, a, b);
        expect(engine.read(result)).toBe((left + right) % FIELD_MODULUS);
        engine.run.subtract(result, a, b);
        expect(engine.read(result)).toBe(modulo(left - right, FIELD_MODULUS));
        engine.run.multiply(result, a, b);
        expect(engine.read(result)).toBe((left * right) % FIELD_MODULUS);
        engine.run.square(result, a);
        expect(engine.read(result)).toBe((left * left) % FIELD_MODULUS);
      }),
    );
  });

  it('stays within its limbs over long chains of operations on its own results', () => {
    const operations = fc.array(fc.constantFrom('add', 'subtract', 'negate', 'multiply', 'square'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(words, words, operations, (start, other, chain) => {
        let expected = start % FIELD_MODULUS;
        engine.write(result, start);
        engine.write(b, other);
        for (const operation of chain) expected = STEPS[operation](expected, other);
        expect(engine.read(result)).toBe(expected);
      }),
    );
  });

  it('copies elements, and keeps them when its memory grows', () => {
    engine.write(kept, 7n);
    const far = engine.allocate(60_000);
    engine.copy(far, kept, 1);
    expect(engine.read(far)).toBe(7n);
    expect(engine.read(kept)).toBe(7n);
  });
});
