import { randomBytes } from 'node:crypto';
import { bn254 } from '@noble/curves/bn254.js';
import { pippenger } from '@noble/curves/abstract/curve.js';
import { decodeWord } from '@tetrad/rollup-crypto';
import { CircuitError } from '../circuit-cache.js';
import { PINNED_POINTS, POINT_BYTES, openPoints, readAt, readPinnedG2 } from './points-file.js';

type Point = InstanceType<typeof bn254.G1.Point>;

/** Points that are compared at a time; bounds the memory. */
const TOGETHER = 8_192;
/** Of a random factor: a file that does not hold together passes with probability 2^-128. */
const FACTOR_BYTES = 16;

export interface CheckOptions {
  /** Points of the file that are checked; further ones are not looked at. */
  readonly count: number;
  /** Place of a point that is known to be right; by default the last pinned one. */
  readonly after?: number;
  /** Called with the number of points that are checked by then. */
  readonly onProgress?: ((checked: number) => void) | undefined;
}

/**
 * That each point of a file is the one before times the secret of the ceremony, whose first points are pinned. With factors
 * that the maker of the file cannot foresee, one equation of pairings checks thousands of points:
 *
 *   e(Σ f(i) · P(i+1), G2) = e(Σ f(i) · P(i), secret · G2)
 *
 * 2^17 points take about a minute.
 *
 * @throws CircuitError naming the first point that is wrong
 */
export async function checkPoints(
  path: string,
  { count, after = PINNED_POINTS - 1, onProgress }: CheckOptions,
): Promise<void> {
  const secret = parseG2(await readPinnedG2());
  const file = await openPoints(path);
  try {
    // Each part begins with the last point of the one before.
    for (let first = after; first < count - 1; first += TOGETHER) {
      const size = Math.min(TOGETHER + 1, count - first);
      const points = parsePoints(await readAt(file, { first, count: size, path }), { first, path });
      if (!holds(points, secret))
        throw new CircuitError(`${path}: point ${first + firstBreak(points, secret)} is not of the ceremony`);
      onProgress?.(Math.min(first + size, count));
      await new Promise((turn) => setImmediate(turn));
    }
  } finally {
    await file.close();
  }
}

function holds(points: readonly Point[], secret: ReturnType<typeof parseG2>): boolean {
  const [before, after] = [points.slice(0, -1), points.slice(1)];
  const factors = before.map(() => BigInt(`0x${randomBytes(FACTOR_BYTES).toString('hex')}`));
  const [left, right] = [after, before].map((some) => pippenger(bn254.G1.Point, some, factors)) as [
    Point,
    Point,
  ];
  const { Fp12 } = bn254.fields;
  return Fp12.eql(bn254.pairing(left, bn254.G2.Point.BASE), bn254.pairing(right, secret));
}

/** Place of the first point that does not follow from the one before, of points that do not hold together. */
function firstBreak(points: readonly Point[], secret: ReturnType<typeof parseG2>): number {
  let [good, bad] = [0, points.length - 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (holds(points.slice(good, middle + 1), secret)) good = middle;
    else bad = middle;
  }
  return bad;
}

/** @throws CircuitError for a number above the modulus, infinity, and a point that is not on the curve */
function parsePoints(
  bytes: Buffer,
  { first, path }: { readonly first: number; readonly path: string },
): Point[] {
  return Array.from({ length: bytes.length / POINT_BYTES }, (_, index) => {
    const [x, y] = [0, 32].map((offset) => decodeWord(bytes, POINT_BYTES * index + offset)) as [
      bigint,
      bigint,
    ];
    try {
      const point = bn254.G1.Point.fromAffine({ x, y });
      point.assertValidity();
      // Zeros mean infinity, which the library takes for a point.
      if (point.is0()) throw new TypeError('infinity');
      return point;
    } catch (error) {
      throw new CircuitError(`${path}: point ${first + index} is not on the curve`, { cause: error });
    }
  });
}

function parseG2(bytes: Buffer): InstanceType<typeof bn254.G2.Point> {
  const word = (index: number) => decodeWord(bytes, 32 * index);
  const { Fp2 } = bn254.fields;
  return bn254.G2.Point.fromAffine({
    x: Fp2.fromBigTuple([word(0), word(1)]),
    y: Fp2.fromBigTuple([word(2), word(3)]),
  });
}
