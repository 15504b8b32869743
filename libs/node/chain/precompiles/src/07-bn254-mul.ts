import { BN254_G1, readBn254G1, writeBn254G1 } from './curves/bn254-points.js';
import { G1, SCALAR } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import { padded } from './input.js';
import type { Precompile } from './precompile.js';

/**
 * Multiplication by a scalar on bn254. Source: EIP-196, gas of EIP-1108 since Istanbul.
 *
 *     in:   x (32) ‖ y (32) ‖ scalar (32), of any value; missing bytes are zero, more are not read
 *     out:  x (32) ‖ y (32)
 */
export const bn254Mul = (gas: number): Precompile => ({ gas: () => gas, run });

const run = onCurve('bn254', (curve) => {
  const [point, scalar] = [curve.allocate(G1), curve.allocate(SCALAR)];
  return (input) => {
    const bytes = padded(input, 0, BN254_G1 + SCALAR);
    if (!readBn254G1(curve, point, bytes, 0)) return undefined;
    curve.readScalar(scalar, bytes, BN254_G1);
    curve.mcl._mclBnG1_mul(point, point, scalar);
    return writeBn254G1(curve, point);
  };
});
