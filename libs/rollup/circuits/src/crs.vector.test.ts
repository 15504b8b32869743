import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { decodeWord } from '@tetrad/rollup-crypto';
import { SRS_FOLDER } from './circuit-cache.js';

let [g1, g2, origin]: string[] | Buffer[] = [];
beforeAll(async () => {
  const read = (name: string) => readFile(join(SRS_FOLDER, name));
  [g1, g2] = await Promise.all([read('bn254_g1.dat'), read('bn254_g2.dat')]);
  origin = await read('ORIGIN.md');
});

const point = (index: number) =>
  bn254.G1.Point.fromAffine({
    x: decodeWord(g1 as Buffer, 64 * index),
    y: decodeWord(g1 as Buffer, 64 * index + 32),
  });

describe('the proving points', () => {
  it('are those of ORIGIN.md', () => {
    for (const file of [g1, g2]) {
      expect(String(origin)).toContain(
        createHash('sha256')
          .update(file as Buffer)
          .digest('hex'),
      );
    }
    expect((g1 as Buffer).length).toBe(64 * (2 ** 15 + 1));
  });

  it('begin with the generator, and are on the curve', () => {
    expect(point(0).equals(bn254.G1.Point.BASE)).toBe(true);
    for (const index of [1, 2, 1000, 2 ** 15 - 1, 2 ** 15])
      expect(() => point(index).assertValidity()).not.toThrow();
  });

  it('are each the one before times the secret of the point of G2', () => {
    const word = (index: number) => decodeWord(g2 as Buffer, 32 * index);
    const { Fp2 } = bn254.fields;
    const secret = bn254.G2.Point.fromAffine({
      x: Fp2.fromBigTuple([word(0), word(1)]),
      y: Fp2.fromBigTuple([word(2), word(3)]),
    });
    // One equation for many pairs, each with a different factor.
    const indexes = [0, 1, 2, 3, 500, 2 ** 14, 2 ** 15 - 2, 2 ** 15 - 1];
    const sum = (offset: number) =>
      indexes
        .map((index, place) => point(index + offset).multiply(BigInt(7 ** place + 1)))
        .reduce((total, each) => total.add(each));
    const left = bn254.pairing(sum(1), bn254.G2.Point.BASE);
    expect(bn254.fields.Fp12.eql(left, bn254.pairing(sum(0), secret))).toBe(true);
    expect(bn254.fields.Fp12.eql(left, bn254.pairing(sum(1), secret))).toBe(false);
  });
});
