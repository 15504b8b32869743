import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes } from '@noble/curves/utils.js';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { Inputs, word } from '../../test/inputs.js';
import { decompress } from './bls12-compressed.js';
import { SubgroupCheck } from './bls12-subgroup.js';

const { G1, fields } = bls12_381;
const INFINITY = Uint8Array.from([0xc0, ...new Uint8Array(47)]);

/** As the library reads it, which refuses points outside the subgroup too. */
function expected(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const point = G1.Point.fromBytes(bytes);
    if (point.is0()) return new Uint8Array(128);
    const { x, y } = point.toAffine();
    return concatBytes(word(x, 64), word(y, 64));
  } catch {
    return undefined;
  }
}

/** Often a point, often with flags or an x that are not allowed. */
function draw(inputs: Inputs): Uint8Array {
  const scalar = 1n + (inputs.scalar(fields.Fr.ORDER) % (fields.Fr.ORDER - 1n));
  const bytes = inputs.below(3) === 0 ? inputs.bytes(48) : G1.Point.BASE.multiply(scalar).toBytes();
  bytes[0] = inputs.pick([
    bytes[0] as number,
    ((bytes[0] as number) & 0x1f) | 0x80,
    ((bytes[0] as number) & 0x1f) | 0xa0,
    (bytes[0] as number) ^ (1 << inputs.below(8)),
  ]);
  return inputs.below(10) === 0 ? INFINITY : bytes;
}

function decoded(one: Uint8Array, other: Uint8Array): readonly Uint8Array[] | undefined {
  const points = decompress(one, other);
  const check = new SubgroupCheck(false);
  return points?.every((point) => check.take(point)) === true && check.end() ? points : undefined;
}

describe('compressed points of G1', () => {
  it('are decoded, and their subgroup is checked, as by noble, two together', () => {
    const inputs = new Inputs(seededRandom(12));
    let valid = 0;
    for (let turn = 0; turn < 150; turn += 1) {
      const given = [draw(inputs), draw(inputs)] as const;
      const points = given.map(expected);
      const isValid = points.every((point) => point !== undefined);
      expect([given, decoded(...given)]).toEqual([given, isValid ? points : undefined]);
      if (isValid) valid += 1;
    }
    expect(valid).toBeGreaterThan(20);
  });

  it.each([
    ['infinity with a y', Uint8Array.from(INFINITY, (byte, at) => (at === 0 ? 0xe0 : byte))],
    ['infinity with an x', Uint8Array.from(INFINITY, (byte, at) => (at === 47 ? 1 : byte))],
    ['an x that is the modulus', flagged(word(fields.Fp.ORDER, 48))],
    ['an x without a point', flagged(word(1n, 48))],
    ['no flag', word(4n, 48)],
  ])('are not %s, in either place', (_what, bytes) => {
    const base = G1.Point.BASE.toBytes();
    expect([decompress(bytes, base), decompress(base, bytes)]).toEqual([undefined, undefined]);
  });
});

function flagged(bytes: Uint8Array): Uint8Array {
  bytes[0] = (bytes[0] as number) | 0x80;
  return bytes;
}
