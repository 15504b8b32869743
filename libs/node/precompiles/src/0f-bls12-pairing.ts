import { BLS12_G1, BLS12_G2, readBls12SubgroupG1, readBls12SubgroupG2 } from './curves/bls12-points.js';
import { onCurve } from './curves/on-curve.js';
import { checkPairing, type PairLayout } from './curves/pairing-check.js';
import type { Precompile } from './precompile.js';
import { runInSlices } from './slices.js';

const PAIR = BLS12_G1 + BLS12_G2;

const layout: PairLayout = {
  ...{ size: PAIR, g2At: BLS12_G1 },
  ...{ readG1: readBls12SubgroupG1, readG2: readBls12SubgroupG2 },
};

/**
 * BLS12_PAIRING_CHECK. Source: EIP-2537.
 *
 *     in:   pairs of points of G1 (128) and G2 (256), one at least
 *     out:  1 when the product of their pairings is one, else 0 (32)
 */
export const bls12Pairing: Precompile = {
  gas: (input) => 37_700 + 32_600 * Math.floor(input.length / PAIR),
  run: onCurve('bls12381', (curve) => (input, pace) => {
    if (input.length === 0 || input.length % PAIR !== 0) return undefined;
    return runInSlices(checkPairing(curve, layout, input.slice()), pace);
  }),
};
