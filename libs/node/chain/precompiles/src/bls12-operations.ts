import { type Bls12Group, sumProducts, BLS12_GROUP_1, BLS12_GROUP_2 } from './curves/bls12-group.js';
import { SCALAR } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import type { Precompile } from './precompile.js';
import { runInSlices } from './slices.js';
import { BLS12_G1_DISCOUNTS, BLS12_G2_DISCOUNTS } from './curves/bls12-discounts.js';

/**
 * Addition of two points, which need not be in the subgroup. Source: EIP-2537.
 *
 *     in:   point ‖ point
 *     out:  point
 */
function bls12Add(group: Bls12Group, gas: number): Precompile {
  const { encoded, size, read, add, write } = group;
  const run = onCurve('bls12381', (curve) => {
    const [left, right] = [curve.allocate(size), curve.allocate(size)];
    return (input) => {
      if (input.length !== 2 * encoded) return undefined;
      if (!read(curve, left, input, 0) || !read(curve, right, input, encoded)) return undefined;
      add(curve, left, left, right);
      return write(curve, left);
    };
  });
  return { gas: () => gas, run };
}

/**
 * Sum of products of points and scalars. Source: EIP-2537.
 *
 *     in:   pairs of point ‖ scalar (32), one at least
 *     out:  point
 */
function bls12Msm(group: Bls12Group, product: number, discounts: readonly number[]): Precompile {
  const pair = group.encoded + SCALAR;
  return {
    gas(input) {
      const count = Math.floor(input.length / pair);
      const discount = discounts[Math.min(count, discounts.length) - 1] ?? 0;
      return Math.floor((count * product * discount) / 1_000);
    },
    run: onCurve('bls12381', (curve) => (input, pace) => {
      if (input.length === 0 || input.length % pair !== 0) return undefined;
      return runInSlices(sumProducts(curve, group, input.slice()), pace);
    }),
  };
}

/** BLS12_G1ADD. Source: EIP-2537. */
export const bls12G1Add = bls12Add(BLS12_GROUP_1, 375);

/** BLS12_G1MSM. Source: EIP-2537. */
export const bls12G1Msm = bls12Msm(BLS12_GROUP_1, 12_000, BLS12_G1_DISCOUNTS);

/** BLS12_G2ADD. Source: EIP-2537. */
export const bls12G2Add = bls12Add(BLS12_GROUP_2, 600);

/** BLS12_G2MSM. Source: EIP-2537. */
export const bls12G2Msm = bls12Msm(BLS12_GROUP_2, 22_500, BLS12_G2_DISCOUNTS);
