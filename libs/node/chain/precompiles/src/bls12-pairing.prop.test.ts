import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes } from '@noble/curves/utils.js';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { createHash } from 'node:crypto';
import { Inputs, word } from '../test/inputs.js';
import { precompiles } from './precompiles.js';

const { G1, G2, fields } = bls12_381;
const ORDER = fields.Fr.ORDER;

function firstPoint(scalar: bigint): Uint8Array {
  if (scalar === 0n) return new Uint8Array(128);
  const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
  return concatBytes(word(x, 64), word(y, 64));
}

function secondPoint(scalar: bigint): Uint8Array {
  if (scalar === 0n) return new Uint8Array(256);
  const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
  return concatBytes(...[x.c0, x.c1, y.c0, y.c1].map((value) => word(value, 64)));
}

const run = (address: number, input: Uint8Array) => precompiles.of('osaka').get(address)?.run(input);

describe('products of pairings on BLS12-381', () => {
  // Eight pairs are one piece: products of one piece, of several, and with places that infinity leaves.
  it.each([1, 2, 8, 9, 17])('of %d pairs are one when their scalars say so', async (count) => {
    const inputs = new Inputs(seededRandom(count));
    const pairs = Array.from({ length: count }, () => {
      const [first, second] = [inputs.scalar(ORDER) % ORDER, inputs.scalar(ORDER) % ORDER];
      return { first, second };
    });
    const sum = pairs.reduce((all, { first, second }) => (all + first * second) % ORDER, 0n);
    const encoded = pairs.map(({ first, second }) => concatBytes(firstPoint(first), secondPoint(second)));
    const last = (value: bigint) => concatBytes(firstPoint((ORDER - value) % ORDER), secondPoint(1n));
    expect(await run(0x0f, concatBytes(...encoded, last(sum)))).toEqual(word(1n));
    expect(await run(0x0f, concatBytes(...encoded, last((sum + 1n) % ORDER)))).toEqual(word(0n));
  });

  it('are not one for a proof of KZG whose other point is infinity', async () => {
    const [y, z, proof] = [5n, 3n, 7n];
    // C − y G + z π is infinity, and e(π, τ G) is not one.
    const commitment = G1.Point.BASE.multiply(ORDER + y - z * proof).toBytes();
    const hash = createHash('sha256').update(commitment).digest();
    hash[0] = 1;
    const point = G1.Point.BASE.multiply(proof).toBytes();
    expect(await run(0x0a, concatBytes(hash, word(z), word(y), commitment, point))).toBeUndefined();
    const constant = G1.Point.BASE.multiply(y).toBytes();
    const constantHash = createHash('sha256').update(constant).digest();
    constantHash[0] = 1;
    const infinity = G1.Point.ZERO.toBytes();
    expect(await run(0x0a, concatBytes(constantHash, word(z), word(y), constant, infinity))).toBeDefined();
  });
});
