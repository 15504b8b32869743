import { BN254_G1, BN254_G2, readBn254G1, readBn254G2 } from './curves/bn254-points.js';
import { onCurve } from './curves/on-curve.js';
import { checkPairing, type PairLayout } from './curves/pairing-check.js';
import type { Precompile } from './precompile.js';
import { runInSlices } from './slices.js';

const PAIR = BN254_G1 + BN254_G2;

const layout: PairLayout = { size: PAIR, g2At: BN254_G1, readG1: readBn254G1, readG2: readBn254G2 };

/**
 * Pairing check on bn254. Source: EIP-197, gas of EIP-1108 since Istanbul.
 *
 *     in:   pairs of G1: x (32) ‖ y (32) and G2: x₁ (32) ‖ x₀ (32) ‖ y₁ (32) ‖ y₀ (32), of any number
 *     out:  1 when the product of their pairings is one, else 0 (32)
 */
export const bn254Pairing = (base: number, pair: number): Precompile => ({
  gas: (input) => base + pair * Math.floor(input.length / PAIR),
  run,
});

const run = onCurve('bn254', (curve) => (input, pace) => {
  if (input.length % PAIR !== 0) return undefined;
  return runInSlices(checkPairing(curve, layout, input.slice()), pace);
});
