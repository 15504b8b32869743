import { FIELD_MODULUS, invert } from '@tetrad/rollup-crypto';

const HALF = 2n ** 128n;

/**
 * What an honest prover puts where constraints take any value: the unconstrained functions that the compiler adds to our circuits, by
 * what they are called with. A compiler that adds others fails the comparison with solved witnesses.
 * @param inputs - values of its arguments
 * @param count - how many values it gives
 */
export function honestHint(inputs: readonly bigint[], count: number): readonly bigint[] {
  const [first = 0n, second = 0n] = inputs;
  if (inputs.length === 3) return bitsOf(first, count);
  if (count === 2) return [first % HALF, first / HALF];
  // Whether the lower half of the modulus is above that of a value, in whose upper half there is one to borrow then.
  if (inputs.length === 2) return [first <= second ? 1n : 0n];
  return [first === 0n ? 0n : invert(first, FIELD_MODULUS)];
}

/** Lowest first. */
function bitsOf(value: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => (value >> BigInt(index)) & 1n);
}
