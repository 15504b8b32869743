import { isZero } from '../input.js';
import { readPair } from './bls12-constants.js';
import { INPUT, NUMBERS, RESULTS, releaseBls12, takeBls12, type Bls12Instance } from './bls12-module.js';

/** Points on the curve as in EIP-2537, whose subgroup is checked a few at a time. Infinity is in it. */
export class SubgroupCheck {
  private readonly waiting: Uint8Array[] = [];

  /** @param isSecond - of G2, which are checked one by one; of G1 two together take as long as one */
  constructor(private readonly isSecond: boolean) {}

  /**
   * @param point - x ‖ y (128 or 256), unchanged until the next call
   * @returns false when a point that was taken is not in the subgroup; true says nothing of the last one before `end`
   */
  take(point: Uint8Array): boolean {
    if (isZero(point, 0, point.length)) return true;
    this.waiting.push(point);
    return this.waiting.length < (this.isSecond ? 1 : 2) || this.end();
  }

  /** Whether those that were not yet checked are in the subgroup. */
  end(): boolean {
    const [one, other = one] = this.waiting.splice(0);
    if (one === undefined || other === undefined) return true;
    const instance = takeBls12();
    try {
      return this.isSecond ? isInSecond(instance, one) : areInFirst(instance, one, other);
    } finally {
      releaseBls12(instance);
    }
  }
}

/**
 * @param one - x ‖ y of a point of G1 (128)
 * @param other - the same
 */
function areInFirst({ exports, bytes }: Bls12Instance, one: Uint8Array, other: Uint8Array): boolean {
  // x ‖ x ‖ y ‖ y
  for (const [index, point] of [one, other].entries()) {
    bytes.set(point.subarray(0, 64), INPUT + 64 * index);
    bytes.set(point.subarray(64, 128), INPUT + 128 + 64 * index);
  }
  exports.checkFirst();
  const [x, y, z] = readDifferences(bytes);
  return [0, 1].every((half) => x[half] === 0n && y[half] === 0n && z[half] !== 0n);
}

/** @param point - x ‖ y of G2 (256) */
function isInSecond({ exports, bytes }: Bls12Instance, point: Uint8Array): boolean {
  bytes.set(point, INPUT);
  exports.checkSecond();
  const [x, y, z] = readDifferences(bytes);
  return [...x, ...y].every((part) => part === 0n) && z.some((part) => part !== 0n);
}

type Numbers = readonly [bigint, bigint];

function readDifferences({ buffer }: Uint8Array): readonly [x: Numbers, y: Numbers, z: Numbers] {
  const view = new DataView(buffer, RESULTS);
  return [readPair(view, 0), readPair(view, NUMBERS), readPair(view, 2 * NUMBERS)];
}
