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

/** Pairs whose Miller loops are done together: more save little, and would take too long in one piece. */
const TOGETHER = 4;

/** Whether the product of the pairings is one, some pairs at a time; undefined when a point is not valid. */
export function* checkPairing(
  curve: Curve,
  { size, g2At, readG1, readG2 }: PairLayout,
  input: Uint8Array,
): Work<PrecompileOutput> {
  const { mcl } = curve;
  const block = curve.allocate(TOGETHER * (G1 + G2) + 2 * GT);
  try {
    const [g1s, g2s] = [block, block + TOGETHER * G1];
    const [factor, product] = [g2s + TOGETHER * G2, g2s + TOGETHER * G2 + GT];
    mcl._mclBnGT_setInt32(product, 1);
    let count = 0;
    for (let at = 0; at < input.length; at += size) {
      const [g1, g2] = [g1s + count * G1, g2s + count * G2];
      if (!readG1(curve, g1, input, at) || !readG2(curve, g2, input, at + g2At)) return undefined;
      // A pair with infinity is one; its place is taken by the next.
      if (mcl._mclBnG1_isZero(g1) === 0 && mcl._mclBnG2_isZero(g2) === 0) count += 1;
      if (count > 0 && (count === TOGETHER || at + size >= input.length)) {
        mcl._mclBn_millerLoopVec(factor, g1s, g2s, count);
        mcl._mclBnGT_mul(product, product, factor);
        count = 0;
      }
      yield;
    }
    mcl._mclBn_finalExp(product, product);
    return wordOfBoolean(mcl._mclBnGT_isOne(product) === 1);
  } finally {
    curve.free(block);
  }
}
