import { BLS12_PAIR, checkBls12Pairing } from './curves/bls12-pairing-check.js';
import { onCurve } from './curves/on-curve.js';
import type { Precompile } from './precompile.js';
import { runInSlices } from './slices.js';

/**
 * BLS12_PAIRING_CHECK. Source: EIP-2537.
 *
 *     in:   pairs of points of G1 (128) and G2 (256), one at least
 *     out:  1 when the product of their pairings is one, else 0 (32)
 */
export const bls12Pairing: Precompile = {
  gas: (input) => 37_700 + 32_600 * Math.floor(input.length / BLS12_PAIR),
  run: onCurve('bls12381', (curve) => (input, pace) => {
    if (input.length === 0 || input.length % BLS12_PAIR !== 0) return undefined;
    return runInSlices(checkBls12Pairing(curve, input.slice()), pace);
  }),
};
