import { FIELD, G2, type Curve } from './curve.js';

/** An element of the quadratic extension in an endomorphism: real and imaginary part. */
type Pair = readonly [real: bigint, imaginary: bigint];

/** Parameter x of bn254. Source: EIP-197; the prime is 36x⁴ + 36x³ + 24x² + 6x + 1. */
const X_DIGITS = digitsOf(4965661367192848881n);

/** (9 + i)^((p − 1) / 3) and (9 + i)^((p − 1) / 2), which the Frobenius map multiplies coordinates of the twist by. */
const FROBENIUS: readonly [x: Pair, y: Pair] = [
  [
    21575463638280843010398324269430826099269044274347216827212613867836435027261n,
    10307601595873709700152284273816112264069230130616436755625194854815875713954n,
  ],
  [
    2821565182194536844548159561693502659359617185244120367078079554186484126554n,
    3505843767911556378687030309984248845540243509899259641013678093033130930403n,
  ],
];

/**
 * Whether a point on the twist of bn254 is in the subgroup G2: (x + 1)P + ψ(xP) + ψ²(xP) = ψ³(2xP).
 * Source: El Housni, Guillevic, Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly
 * curves", section 4 (ePrint 2022/352). mcl multiplies by the group's order, which takes four times as long.
 */
export function isInBn254G2(curve: Curve, point: number): boolean {
  const { mcl } = curve;
  const block = curve.allocate(3 * G2 + 4 * FIELD);
  try {
    const [sum, image, other] = [block, block + G2, block + 2 * G2];
    const factors = block + 3 * G2;
    FROBENIUS.flat().forEach((value, index) => putField(curve, factors + index * FIELD, value));
    multiplyByX(curve, sum, point);
    applyFrobenius(curve, image, sum, factors);
    applyFrobenius(curve, other, image, factors);
    mcl._mclBnG2_add(sum, sum, point);
    mcl._mclBnG2_add(sum, sum, image);
    mcl._mclBnG2_add(sum, sum, other);
    applyFrobenius(curve, image, other, factors);
    mcl._mclBnG2_dbl(image, image);
    return mcl._mclBnG2_isEqual(sum, image) === 1;
  } finally {
    curve.free(block);
  }
}

/** ψ: conjugates the coordinates and multiplies x and y by the factors; the third coordinate is only conjugated. */
function applyFrobenius(curve: Curve, result: number, point: number, factors: number): void {
  const { mcl } = curve;
  curve.copy(result, point, G2);
  for (const at of [FIELD, 3 * FIELD, 5 * FIELD]) mcl._mclBnFp_neg(result + at, result + at);
  for (const at of [0, 2 * FIELD]) mcl._mclBnFp2_mul(result + at, result + at, factors + at);
}

/** result = x · point; result is not the point. mcl's own product is right in the subgroup only. */
function multiplyByX(curve: Curve, result: number, point: number): void {
  const { mcl } = curve;
  curve.copy(result, point, G2);
  for (const digit of X_DIGITS.slice(1)) {
    mcl._mclBnG2_dbl(result, result);
    if (digit === 1) mcl._mclBnG2_add(result, result, point);
    else if (digit === -1) mcl._mclBnG2_sub(result, result, point);
  }
}

/** The factor in digits −1, 0 and 1 of which no two neighbours differ from zero, the highest first. */
function digitsOf(factor: bigint): readonly number[] {
  const digits: number[] = [];
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    const digit = (rest & 1n) === 0n ? 0 : 2 - Number(rest & 3n);
    digits.unshift(digit);
    rest -= BigInt(digit);
  }
  return digits;
}

function putField(curve: Curve, to: number, value: bigint): void {
  const hex = value.toString(16).padStart(2 * curve.fieldSize, '0');
  if (!curve.readField(to, Buffer.from(hex, 'hex'), 0))
    throw new Error('a constant is not below the modulus');
}
