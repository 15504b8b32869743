import { FIELD_MODULUS } from './field.js';

/** Poseidon2 over the BN254 scalar field with four words of state: the instance of the Barretenberg library. */
export const STATE_WIDTH = 4;
export const RATE = 3;
export const FULL_ROUNDS = 8;
export const PARTIAL_ROUNDS = 56;

/**
 * The internal matrix has these on its diagonal, less one, and one everywhere else.
 * Source: barretenberg/cpp/src/barretenberg/crypto/poseidon2/poseidon2_params.hpp
 */
export const INTERNAL_DIAGONAL: readonly bigint[] = [
  0x10dc6e9c006ea38b04b1e03b4bd9490c0d03f98929ca1d7fb56821fd19d3b6e7n,
  0x0c28145b6a44df3e0149b3d0a30b3bb599df9756d4dd9b84a86b38cfb45a740bn,
  0x00544b8338791518b2c7645a50392798b21f75bb60e3596170067d00141cac15n,
  0x222c01175718386f2e2e82eb122789e352e105a3b8fa852613bc534433ee428bn,
];

/** Four for each full round and one for each partial round, in the order in which they are used. */
export function deriveRoundConstants(): bigint[] {
  const bits = grainBits();
  return Array.from({ length: FULL_ROUNDS * STATE_WIDTH + PARTIAL_ROUNDS }, () => {
    for (;;) {
      const candidate = takeBits(bits, FIELD_BITS);
      if (candidate < FIELD_MODULUS) return candidate;
    }
  });
}

const FIELD_BITS = 254;
const REGISTER_BITS = 80;
const TAPS: readonly number[] = [62, 51, 38, 23, 13, 0];

/**
 * The shrinking generator of the Poseidon paper (appendix E) over an 80-bit register that begins as
 * `field(2) sbox(4) bits(12) width(12) full rounds(10) partial rounds(10) ones(30)`.
 */
function* grainBits(): Generator<number, never> {
  const register = [
    0,
    1,
    0,
    0,
    0,
    0,
    ...binary(FIELD_BITS, 12),
    ...binary(STATE_WIDTH, 12),
    ...binary(FULL_ROUNDS, 10),
    ...binary(PARTIAL_ROUNDS, 10),
    ...Array.from({ length: 30 }, () => 1),
  ];
  let start = 0;
  const step = () => {
    const bit = TAPS.reduce((sum, tap) => sum ^ (register[(start + tap) % REGISTER_BITS] as number), 0);
    register[start] = bit;
    start = (start + 1) % REGISTER_BITS;
    return bit;
  };
  for (let warmUp = 0; warmUp < 2 * REGISTER_BITS; warmUp += 1) step();
  for (;;) {
    const isWanted = step();
    const bit = step();
    if (isWanted === 1) yield bit;
  }
}

function binary(value: number, width: number): number[] {
  return Array.from({ length: width }, (_, index) => (value >> (width - 1 - index)) & 1);
}

function takeBits(bits: Generator<number, never>, count: number): bigint {
  let digits = '0b';
  for (let index = 0; index < count; index += 1) digits += bits.next().value;
  return BigInt(digits);
}
