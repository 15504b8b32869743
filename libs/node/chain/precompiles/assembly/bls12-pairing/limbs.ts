// Numbers of the quadratic extension of the field of BLS12-381, u² = −1, as 14 pairs of limbs of 28 bits with sign:
//
//     c₀ limb 0 (4) ‖ c₁ limb 0 (4) ‖ c₀ limb 1 (4) ‖ c₁ limb 1 (4) ‖ … ‖ c₁ limb 13 (4)
//
// A vector of 16 bytes has two limbs of both. Limbs may be from −2^4 to 2^28 + 2^4, the last takes what is above, and
// numbers need be neither positive nor below the modulus p: a product of numbers within ±16 p is between −0.3 p and
// 1.3 p. So additions compare with nothing.

export const SIZE: usize = 112;

/** p in both halves; −p⁻¹ mod 2^28 (4 times); 2^28 − 1 (4 times). The host writes all constants. */
export const MODULUS: usize = 0;
const INVERSE: usize = 112;
const MASK: usize = 128;
/** As the mask, but all bits of the last limb. */
const LAST_MASK: usize = 144;
/** 2^63 and 2^35 in both lanes of 64 bits: arithmetic shifts of these are slow. */
const SIGN: usize = 160;
const SHIFTED_SIGN: usize = 176;

@inline
export function low(a: v128, b: v128): v128 {
  return i64x2.extmul_low_i32x4_s(a, b);
}

@inline
export function high(a: v128, b: v128): v128 {
  return i64x2.extmul_high_i32x4_s(a, b);
}

/** (−c₁, c₀) of each pair of limbs. */
@inline
export function timesU(pairs: v128): v128 {
  const sign = i32x4(-1, 0, -1, 0);
  return i32x4.sub(v128.xor(v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2), sign), sign);
}

/** The multiple of p that makes the lowest limb of each lane zero, for all four limbs. */
@inline
export function quotient(column: v128): v128 {
  const low = v128.shuffle<i32>(column, column, 0, 2, 0, 2);
  return v128.and(i32x4.mul(low, v128.load(INVERSE)), v128.load(MASK));
}

/** What a column of 64 bits has above 28 bits, with its sign. */
@inline
export function carryOf(column: v128): v128 {
  return i64x2.sub(i64x2.shr_u(i64x2.add(column, v128.load(SIGN)), 28), v128.load(SHIFTED_SIGN));
}

/** Two columns of 64 bits as limbs, without their carries. */
@inline
export function joined(first: v128, second: v128): v128 {
  return v128.and(v128.shuffle<i32>(first, second, 0, 2, 4, 6), v128.load(MASK));
}

/** The last column as two limbs. */
@inline
export function last(column: v128): v128 {
  return v128.shuffle<i32>(v128.and(column, v128.load(MASK)), carryOf(column), 0, 2, 4, 6);
}

/** What limbs have above 28 bits. */
@inline
export function excess(pairs: v128): v128 {
  return i32x4.shr_s(pairs, 28);
}

/** Stores limbs of up to 31 bits with the excess of those before them: of the previous vector, and of their own. */
@inline
export function settle(to: usize, pairs: v128, previous: v128, own: v128, isLast: bool): void {
  const mask = v128.load(isLast ? LAST_MASK : MASK);
  v128.store(to, i32x4.add(v128.and(pairs, mask), v128.shuffle<i32>(previous, own, 2, 3, 4, 5)));
}
