import { BLS12_FIELD, readBls12Field2, writeBls12G2 } from './curves/bls12-points.js';
import { FIELD, G2 } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import type { Precompile } from './precompile.js';

/**
 * BLS12_MAP_FP2_TO_G2, the map of RFC 9380 with its cofactor cleared. Source: EIP-2537.
 *
 *     in:   c₀ (64) ‖ c₁ (64)
 *     out:  point of G2 (256)
 */
export const bls12MapFp2ToG2: Precompile = {
  gas: () => 23_800,
  run: onCurve('bls12381', (curve) => {
    const [field, point] = [curve.allocate(2 * FIELD), curve.allocate(G2)];
    return (input) => {
      if (input.length !== 2 * BLS12_FIELD || !readBls12Field2(curve, field, input, 0)) return undefined;
      return curve.mcl._mclBnFp2_mapToG2(point, field) === 0 ? writeBls12G2(curve, point) : undefined;
    };
  }),
};
