import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BackendType, BarretenbergSync } from '@aztec/bb.js';
import { seededRandom } from '@tetrad/testkit';
import { FIELD_MODULUS, GROUP_ORDER, decodeWord, encodeWord } from './field.js';
import { GENERATOR, multiplyAll, multiplyGenerator, multiplyPoint, type Point } from './grumpkin.js';
import { hashWords } from './poseidon2.js';

/** Ours against the prover library: what it computes is what circuits demand. */

let library: BarretenbergSync;
beforeAll(async () => {
  library = await BarretenbergSync.new({ backend: BackendType.Wasm, threads: 1, skipSrsInit: true });
});
afterAll(() => library.destroy());

const random = seededRandom(14);
const draw = (modulus: bigint) => {
  let value = 0n;
  for (let word = 0; word < 9; word += 1) value = (value << 32n) | BigInt(Math.floor(random() * 2 ** 32));
  return value % modulus;
};

describe('Poseidon2', () => {
  const libraryHash = (words: readonly bigint[]) =>
    decodeWord(library.poseidon2Hash({ inputs: words.map(encodeWord) }).hash);

  it.each(Array.from({ length: 20 }, (_, index) => index + 1))('of %i words is what bb computes', (count) => {
    for (let round = 0; round < 5; round += 1) {
      const words = Array.from({ length: count }, () => draw(FIELD_MODULUS));
      expect(hashWords(words)).toBe(libraryHash(words));
    }
  });

  it('is right at the ends of the field', () => {
    const ends = [0n, 1n, 2n, 2n ** 29n - 1n, 2n ** 232n, 2n ** 253n, FIELD_MODULUS - 2n, FIELD_MODULUS - 1n];
    for (const left of ends) {
      for (const right of ends) expect(hashWords([left, right])).toBe(libraryHash([left, right]));
    }
  });

  it('distinguishes lists of zeros by their length', () => {
    expect(new Set([1, 2, 3, 4].map((count) => hashWords(Array(count).fill(0n)))).size).toBe(4);
  });
});

describe('Grumpkin', () => {
  const libraryProduct = (point: Point, scalar: bigint): Point => {
    const operand = { x: encodeWord(point.x), y: encodeWord(point.y) };
    const product = library.grumpkinMul({ point: operand, scalar: encodeWord(scalar) }).point;
    return { x: decodeWord(product.x), y: decodeWord(product.y) };
  };

  const ends = [1n, 2n, 3n, 15n, 16n, 17n, 31n, 32n, 255n, 256n, 257n, 2n ** 128n, 2n ** 253n];
  const scalars = [...ends, ...ends.map((end) => GROUP_ORDER - end)].filter((scalar) => scalar > 0n);

  it('multiplies the generator as bb does', () => {
    for (const scalar of [...scalars, ...Array.from({ length: 20 }, () => draw(GROUP_ORDER))]) {
      expect(multiplyGenerator(scalar)).toEqual(libraryProduct(GENERATOR, scalar));
    }
  });

  it('multiplies any point as bb does', () => {
    const point = multiplyGenerator(draw(GROUP_ORDER));
    for (const scalar of [...scalars, ...Array.from({ length: 20 }, () => draw(GROUP_ORDER))]) {
      expect(multiplyPoint(point, scalar)).toEqual(libraryProduct(point, scalar));
    }
  });

  it('gives the same for products together as for each alone', () => {
    const products = Array.from({ length: 8 }, () => ({
      base: multiplyGenerator(draw(GROUP_ORDER)),
      scalar: draw(GROUP_ORDER),
    }));
    expect(multiplyAll(products)).toEqual(products.map(({ base, scalar }) => multiplyPoint(base, scalar)));
  });
});
