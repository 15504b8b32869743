import {
  FIELD_MODULUS,
  GROUP_ORDER,
  invert,
  isOnCurve,
  modulo,
  multiplyPoint,
  type Point,
} from '@tetrad/rollup-crypto';
import { fieldEngine } from '../../../crypto/src/wasm/engine.js';
import { ELEMENT_BYTES } from '../../../crypto/src/wasm/layout.js';

/** The permutation of Poseidon2 on four words. */
export function permute(words: readonly bigint[]): bigint[] {
  const engine = fieldEngine();
  const at = (index: number) => engine.state + ELEMENT_BYTES * index;
  words.forEach((word, index) => engine.write(at(index), word));
  engine.run.permute();
  return words.map((_, index) => engine.read(at(index)));
}

const HALF = 2n ** 128n;

/**
 * Σ scalar · point on Grumpkin, infinity being (0, 0).
 * @returns undefined where no values satisfy the constraint: a point off the curve, a half of a scalar above 128 bits,
 *   or a scalar that is not below the order of the group
 */
export function sumOfProducts(points: readonly bigint[], scalars: readonly bigint[]): bigint[] | undefined {
  let sum: Point | undefined;
  for (let index = 0; index < points.length; index += 2) {
    const point = { x: points[index] as bigint, y: points[index + 1] as bigint };
    const [low, high] = [scalars[index] as bigint, scalars[index + 1] as bigint];
    const scalar = low + high * HALF;
    if (low >= HALF || high >= HALF || scalar >= GROUP_ORDER || !isOnCurve(point)) return undefined;
    if (scalar > 0n) sum = add(sum, multiplyPoint(point, scalar));
  }
  return sum === undefined ? [0n, 0n] : [sum.x, sum.y];
}

/** Undefined is infinity. */
function add(one: Point | undefined, other: Point): Point | undefined {
  if (one === undefined) return other;
  if (one.x === other.x && one.y !== other.y) return undefined;
  const [rise, run] =
    one.x === other.x ? [3n * one.x * one.x, 2n * one.y] : [other.y - one.y, other.x - one.x];
  const slope = modulo(rise * invert(modulo(run, FIELD_MODULUS), FIELD_MODULUS), FIELD_MODULUS);
  const x = modulo(slope * slope - one.x - other.x, FIELD_MODULUS);
  return { x, y: modulo(slope * (one.x - x) - one.y, FIELD_MODULUS) };
}
