import { isZero } from '../input.js';
import { P, readPair } from './bls12-constants.js';
import { INPUT, NUMBERS, RESULTS, releaseBls12, takeBls12 } from './bls12-module.js';
import { BLS12_FIELD, BLS12_G1 } from './bls12-points.js';

/** Flags in the first byte of a compressed point. Source: ZCash, serialization of BLS12-381. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
/** Of the two y the larger one. */
const LARGER = 0x20;
const FLAGS = COMPRESSED | INFINITY | LARGER;

/** Bytes of a compressed point. */
const SIZE = 48;

/**
 * Decodes two points of G1, which takes as long as one. The subgroup is not checked.
 * @param one - compressed (48)
 * @param other - compressed (48)
 * @returns x ‖ y of each as in EIP-2537 (128), zeros for infinity; undefined when one is no point, or not in its only
 *   encoding
 */
export function decompress(
  one: Uint8Array,
  other: Uint8Array,
): readonly [Uint8Array, Uint8Array] | undefined {
  const [first, second] = [readX(one), readX(other)];
  if (first === undefined || second === undefined) return undefined;
  const instance = takeBls12();
  try {
    instance.bytes.set(first, INPUT);
    instance.bytes.set(second, INPUT + BLS12_FIELD);
    instance.exports.findY();
    const view = new DataView(instance.bytes.buffer, RESULTS);
    const [differences, roots] = [readPair(view, 0), readPair(view, NUMBERS)];
    const points = [one, other].map((bytes, half) =>
      isInfinity(bytes)
        ? new Uint8Array(BLS12_G1)
        : pointOf(bytes, half === 0 ? first : second, {
            difference: differences[half] as bigint,
            root: roots[half] as bigint,
          }),
    );
    return points.includes(undefined) ? undefined : (points as [Uint8Array, Uint8Array]);
  } finally {
    releaseBls12(instance);
  }
}

const isInfinity = (bytes: Uint8Array) => ((bytes[0] as number) & INFINITY) !== 0;

/** The x as in EIP-2537 (64), zero for infinity; undefined when it is not below the modulus, or the flags are wrong. */
function readX(bytes: Uint8Array): Uint8Array | undefined {
  const first = bytes[0] as number;
  if ((first & COMPRESSED) === 0) return undefined;
  const x = new Uint8Array(BLS12_FIELD);
  if (isInfinity(bytes)) return first === (COMPRESSED | INFINITY) && isZero(bytes, 1, SIZE) ? x : undefined;
  x.set(bytes, BLS12_FIELD - SIZE);
  x[BLS12_FIELD - SIZE] = first & ~FLAGS;
  return numberOf(x) < P ? x : undefined;
}

/**
 * @param options.difference - zero when the x has a point
 * @param options.root - one of its y
 */
function pointOf(
  bytes: Uint8Array,
  x: Uint8Array,
  { difference, root }: { readonly difference: bigint; readonly root: bigint },
): Uint8Array | undefined {
  if (difference !== 0n) return undefined;
  const isLarger = ((bytes[0] as number) & LARGER) !== 0;
  const y = root > P - root === isLarger ? root : P - root;
  const point = new Uint8Array(BLS12_G1);
  point.set(x, 0);
  point.set(Buffer.from(y.toString(16).padStart(2 * SIZE, '0'), 'hex'), BLS12_G1 - SIZE);
  return point;
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
