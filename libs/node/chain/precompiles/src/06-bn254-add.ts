import { BN254_G1, readBn254G1, writeBn254G1 } from './curves/bn254-points.js';
import { G1 } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import { padded } from './input.js';
import type { Precompile } from './precompile.js';

/**
 * Addition on bn254, which the EIPs call alt_bn128. Source: EIP-196, gas of EIP-1108 since Istanbul.
 *
 *     in:   x (32) ‖ y (32) ‖ x' (32) ‖ y' (32); missing bytes are zero, more are not read
 *     out:  x (32) ‖ y (32)
 */
export const bn254Add = (gas: number): Precompile => ({ gas: () => gas, run });

const run = onCurve('bn254', (curve) => {
  const [left, right] = [curve.allocate(G1), curve.allocate(G1)];
  return (input) => {
    const bytes = padded(input, 0, 2 * BN254_G1);
    if (!readBn254G1(curve, left, bytes, 0) || !readBn254G1(curve, right, bytes, BN254_G1)) return undefined;
    curve.mcl._mclBnG1_add(left, left, right);
    return writeBn254G1(curve, left);
  };
});
