import { isOne, readPair } from './bls12-constants.js';
import { INPUT, NUMBERS, releaseBls12, takeBls12, type Bls12Instance } from './bls12-module.js';

/** Where the module has the product: 12 numbers of the field in six pairs. */
const PRODUCT = 0x6000;

/**
 * A product of pairings on BLS12-381, for the question whether it is one. What is no longer needed is released.
 *
 * Points are encoded as in EIP-2537, in the subgroups, and not infinity: nothing is checked here.
 */
export class PairingProduct {
  private readonly instance: Bls12Instance;

  constructor() {
    this.instance = takeBls12();
    this.instance.exports.begin();
  }

  /**
   * Takes up a pair as that of an index from 0 to 31.
   * @param points - x ‖ y of G1, x ‖ y of G2 (384)
   */
  takePair(index: number, points: Uint8Array): void {
    this.instance.bytes.set(points, INPUT);
    this.instance.exports.takePair(index);
  }

  /**
   * Takes up only the point of G1, for a point of G2 whose lines are kept.
   * @param point - x ‖ y of G1 (128)
   */
  takeFirst(index: number, point: Uint8Array): void {
    this.instance.bytes.set(point, INPUT);
    this.instance.exports.takeFirst(index);
  }

  /**
   * Keeps the lines of the Miller loop for a point of G2.
   * @param index - 0 or 1
   * @param point - x ‖ y (256)
   */
  keepLines(index: number, point: Uint8Array): void {
    this.instance.bytes.set(point, INPUT + 128);
    this.instance.exports.takePair(index);
    this.instance.exports.keepLines(index);
  }

  /** Multiplies the product by the pairings of points of G1, of indexes from first to last, with the points kept. */
  multiplyKept(first: number, last: number): void {
    this.instance.exports.multiplyKept(first, last);
  }

  /** Multiplies the product by the pairings of the first pairs that were taken up. */
  multiply(count: number): void {
    this.instance.exports.multiplyPairs(count);
  }

  /** Whether the product is one; the next product begins. */
  isOne(): boolean {
    const { exports, bytes } = this.instance;
    exports.end();
    const view = new DataView(bytes.buffer, PRODUCT);
    const result = Array.from({ length: 6 }, (_, index) => readPair(view, index * NUMBERS)).every(
      ([first, second], index) => (index === 0 ? isOne(first) : first === 0n) && second === 0n,
    );
    exports.begin();
    return result;
  }

  release(): void {
    releaseBls12(this.instance);
  }
}
