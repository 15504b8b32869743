import { wordOfBoolean } from '../input.js';
import type { PrecompileOutput } from '../precompile.js';
import type { Work } from '../slices.js';
import { G1, G2, GT, type Curve } from './curve.js';

/** Reads a point; false when the input has none there. */
type ReadPoint = (curve: Curve, to: number, input: Uint8Array, offset: number) => boolean;

/** How pairs of points are laid out in an input. */
export interface PairLayout {
  readonly size: number;
  readonly g2At: number;
  readonly readG1: ReadPoint;
  readonly readG2: ReadPoint;
}

/** Whether the product of the pairings is one, pair by pair; undefined when a point is not valid. */
export function* checkPairing(
  curve: Curve,
  { size, g2At, readG1, readG2 }: PairLayout,
  input: Uint8Array,
): Work<PrecompileOutput> {
  const { mcl } = curve;
  const block = curve.allocate(G1 + G2 + 2 * GT);
  try {
    const [g1, g2, factor, product] = [block, block + G1, block + G1 + G2, block + G1 + G2 + GT];
    mcl._mclBnGT_setInt32(product, 1);
    for (let at = 0; at < input.length; at += size) {
      if (!readG1(curve, g1, input, at) || !readG2(curve, g2, input, at + g2At)) return undefined;
      if (mcl._mclBnG1_isZero(g1) === 0 && mcl._mclBnG2_isZero(g2) === 0) {
        mcl._mclBn_millerLoop(factor, g1, g2);
        mcl._mclBnGT_mul(product, product, factor);
      }
      yield;
    }
    mcl._mclBn_finalExp(product, product);
    return wordOfBoolean(mcl._mclBnGT_isOne(product) === 1);
  } finally {
    curve.free(block);
  }
}
