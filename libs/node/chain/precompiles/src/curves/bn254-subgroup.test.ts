import { beforeAll, describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { BN254_G2, readBn254G2 } from './bn254-points.js';
import { G2, Curve } from './curve.js';

const { Point } = bn254.G2;
const { Fp2 } = bn254.fields;
type TwistPoint = typeof Point.BASE;

/** A factor of the twist's cofactor 2p − r: there are points of this order on it. */
const SMALL_ORDER = 10069n;
const COFACTOR = 2n * bn254.fields.Fp.ORDER - bn254.fields.Fr.ORDER;

let curve: Curve;
beforeAll(async () => {
  curve = await Curve.load('bn254');
});

function isRead(point: TwistPoint): boolean {
  const { x, y } = point.toAffine();
  const hex = [x.c1, x.c0, y.c1, y.c0].map((value) => value.toString(16).padStart(64, '0')).join('');
  const to = curve.allocate(G2);
  try {
    return readBn254G2(curve, to, new Uint8Array(Buffer.from(hex, 'hex')).subarray(0, BN254_G2), 0);
  } finally {
    curve.free(to);
  }
}

/** By doubling and adding, with factors beyond the group's order too. */
function times(point: TwistPoint, factor: bigint): TwistPoint {
  let result = Point.ZERO;
  for (const bit of factor.toString(2)) {
    result = result.double();
    if (bit === '1') result = result.add(point);
  }
  return result;
}

/** The points of the twist with the first x, from (1, 0) on, that have one. */
function pointsOfTwist(count: number): TwistPoint[] {
  const found: TwistPoint[] = [];
  for (let c0 = 1n; found.length < count; c0 += 1n) {
    const x = Fp2.create({ c0, c1: c0 % 5n });
    try {
      const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.mul(x, x), x), Point.CURVE().b));
      found.push(Point.fromAffine({ x, y }));
    } catch {
      // Every other x has no y.
    }
  }
  return found;
}

describe('a point on the twist of bn254', () => {
  it('is read when it is in the subgroup', () => {
    for (const factor of [1n, 2n, 3n, 2n ** 63n, bn254.fields.Fr.ORDER - 1n]) {
      expect(isRead(times(Point.BASE, factor))).toBe(true);
    }
    for (const point of pointsOfTwist(3)) expect(isRead(times(point, COFACTOR))).toBe(true);
  });

  it('is not read anywhere else', () => {
    for (const point of pointsOfTwist(20)) expect(isRead(point)).toBe(false);
  });

  it('is not read when it differs from the subgroup by a point of small order', () => {
    const order = (COFACTOR / SMALL_ORDER) * bn254.fields.Fr.ORDER;
    const small = pointsOfTwist(5).map((point) => times(point, order));
    expect(COFACTOR % SMALL_ORDER).toBe(0n);
    for (const point of small.filter((one) => !one.is0())) {
      expect(times(point, SMALL_ORDER).is0()).toBe(true);
      for (const sum of [point, point.add(Point.BASE), point.double().add(times(Point.BASE, 12_345n))]) {
        expect(isRead(sum)).toBe(false);
      }
    }
    expect(small.some((point) => !point.is0())).toBe(true);
  });
});
