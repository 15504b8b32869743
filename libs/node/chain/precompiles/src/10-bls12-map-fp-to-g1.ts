import { BLS12_FIELD, readBls12Field, writeBls12G1 } from './curves/bls12-points.js';
import { FIELD, G1 } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import type { Precompile } from './precompile.js';

/**
 * BLS12_MAP_FP_TO_G1, the map of RFC 9380 with its cofactor cleared. Source: EIP-2537.
 *
 *     in:   field element (64)
 *     out:  point of G1 (128)
 */
export const bls12MapFpToG1: Precompile = {
  gas: () => 5_500,
  run: onCurve('bls12381', (curve) => {
    const [field, point] = [curve.allocate(FIELD), curve.allocate(G1)];
    return (input) => {
      if (input.length !== BLS12_FIELD || !readBls12Field(curve, field, input, 0)) return undefined;
      return curve.mcl._mclBnFp_mapToG1(point, field) === 0 ? writeBls12G1(curve, point) : undefined;
    };
  }),
};
