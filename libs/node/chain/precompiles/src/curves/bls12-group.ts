import { SCALAR, G1, G2, type Curve } from './curve.js';
import { BLS12_G1, BLS12_G2, readBls12G1, readBls12G2, writeBls12G1, writeBls12G2 } from './bls12-points.js';
import { SubgroupCheck } from './bls12-subgroup.js';
import type { Work } from '../slices.js';
import type { PrecompileOutput } from '../precompile.js';

type Read = (curve: Curve, to: number, input: Uint8Array, offset: number) => boolean;

/** Parameters and functions of one of the two groups of BLS12-381, for the operations that both have. */
export interface Bls12Group {
  /** Bytes of a point in an input, and in the module's memory. */
  readonly encoded: number;
  readonly size: number;
  readonly read: Read;
  startCheck(): SubgroupCheck;
  write(curve: Curve, point: number): Uint8Array;
  clear(curve: Curve, point: number): void;
  add(curve: Curve, result: number, left: number, right: number): void;
  mulVec(curve: Curve, result: number, points: number, scalars: number, count: number): void;
}

export const BLS12_GROUP_1: Bls12Group = {
  encoded: BLS12_G1,
  size: G1,
  read: readBls12G1,
  startCheck: () => new SubgroupCheck(false),
  write: writeBls12G1,
  clear: ({ mcl }, point) => mcl._mclBnG1_clear(point),
  add: ({ mcl }, result, left, right) => mcl._mclBnG1_add(result, left, right),
  mulVec: ({ mcl }, ...operands) => mcl._mclBnG1_mulVec(...operands),
};

export const BLS12_GROUP_2: Bls12Group = {
  encoded: BLS12_G2,
  size: G2,
  read: readBls12G2,
  startCheck: () => new SubgroupCheck(true),
  write: writeBls12G2,
  clear: ({ mcl }, point) => mcl._mclBnG2_clear(point),
  add: ({ mcl }, result, left, right) => mcl._mclBnG2_add(result, left, right),
  mulVec: ({ mcl }, ...operands) => mcl._mclBnG2_mulVec(...operands),
};

/** Products that are computed in one piece: more are hardly cheaper each, and would take too long at once. */
const BATCH = 64;

/** Sum of products of points and scalars; undefined when a point is not in the subgroup. */
export function* sumProducts(curve: Curve, group: Bls12Group, input: Uint8Array): Work<PrecompileOutput> {
  const { encoded, size } = group;
  const pair = encoded + SCALAR;
  const total = input.length / pair;
  const room = Math.min(total, BATCH);
  const block = curve.allocate(2 * size + room * (size + SCALAR));
  const check = group.startCheck();
  try {
    const [sum, part, points] = [block, block + size, block + 2 * size];
    const scalars = points + room * size;
    group.clear(curve, sum);
    for (let first = 0; first < total; first += room) {
      const count = Math.min(room, total - first);
      for (let index = 0; index < count; index += 1) {
        const at = (first + index) * pair;
        if (!group.read(curve, points + index * size, input, at)) return undefined;
        if (!check.take(input.subarray(at, at + encoded))) return undefined;
        curve.readScalar(scalars + index * SCALAR, input, at + encoded);
        if (index % 16 === 15) yield;
      }
      group.mulVec(curve, part, points, scalars, count);
      group.add(curve, sum, sum, part);
      yield;
    }
    return check.end() ? group.write(curve, sum) : undefined;
  } finally {
    curve.free(block);
  }
}
