import { wordOfBoolean } from '../input.js';
import type { PrecompileOutput } from '../precompile.js';
import type { Work } from '../slices.js';
import { PairingProduct } from './bls12-pairing.js';
import { BLS12_G1, BLS12_G2, readBls12G1, readBls12G2 } from './bls12-points.js';
import { SubgroupCheck } from './bls12-subgroup.js';
import { G1, G2, type Curve } from './curve.js';

/** x ‖ y of G1, x ‖ y of G2. */
export const BLS12_PAIR = BLS12_G1 + BLS12_G2;

/** Pairs whose Miller loops are done together: they share squarings, and take three milliseconds in one piece. */
const TOGETHER = 8;

/** Whether the product of the pairings is one, some pairs at a time; undefined when a point is not valid. */
export function* checkBls12Pairing(curve: Curve, input: Uint8Array): Work<PrecompileOutput> {
  const { mcl } = curve;
  const block = curve.allocate(G1 + G2);
  const product = new PairingProduct();
  const [first, second] = [new SubgroupCheck(false), new SubgroupCheck(true)];
  try {
    const [g1, g2] = [block, block + G1];
    let count = 0;
    for (let at = 0; at < input.length; at += BLS12_PAIR) {
      if (!readBls12G1(curve, g1, input, at) || !readBls12G2(curve, g2, input, at + BLS12_G1))
        return undefined;
      const pair = input.subarray(at, at + BLS12_PAIR);
      if (!first.take(pair.subarray(0, BLS12_G1)) || !second.take(pair.subarray(BLS12_G1))) return undefined;
      // A pair with infinity is one; its place is taken by the next.
      if (mcl._mclBnG1_isZero(g1) === 0 && mcl._mclBnG2_isZero(g2) === 0) product.takePair(count++, pair);
      if (count > 0 && (count === TOGETHER || at + BLS12_PAIR >= input.length)) {
        product.multiply(count);
        count = 0;
      }
      yield;
    }
    return first.end() && second.end() ? wordOfBoolean(product.isOne()) : undefined;
  } finally {
    product.release();
    curve.free(block);
  }
}
