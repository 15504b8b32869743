import { isZero } from '../input.js';
import { FIELD, type Curve } from './curve.js';
import { isInBn254G2 } from './bn254-subgroup.js';

/** Bytes of a point of G1 (x ‖ y) and of G2 (x ‖ y, each imaginary ‖ real) in EIP-196 and EIP-197. */
export const BN254_G1 = 64;
export const BN254_G2 = 128;

/** Reads x (32) ‖ y (32), zero for infinity. False unless it is on the curve, whose points are all of the group. */
export function readBn254G1(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  const { mcl } = curve;
  if (isZero(input, offset, offset + BN254_G1)) {
    mcl._mclBnG1_clear(to);
    return true;
  }
  if (!curve.readField(to, input, offset) || !curve.readField(to + FIELD, input, offset + 32)) return false;
  mcl._mclBnFp_setInt32(to + 2 * FIELD, 1);
  return mcl._mclBnG1_isValid(to) === 1;
}

/** The point as x (32) ‖ y (32). Changes it to its affine form. */
export function writeBn254G1(curve: Curve, point: number): Uint8Array {
  const output = new Uint8Array(BN254_G1);
  if (curve.mcl._mclBnG1_isZero(point) === 1) return output;
  curve.mcl._mclBnG1_normalize(point, point);
  curve.writeField(point, output, 0);
  curve.writeField(point + FIELD, output, 32);
  return output;
}

/** Reads x₁ ‖ x₀ ‖ y₁ ‖ y₀ (32 each), zero for infinity. False unless it is on the curve and in the subgroup. */
export function readBn254G2(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  const { mcl } = curve;
  if (isZero(input, offset, offset + BN254_G2)) {
    mcl._mclBnG2_clear(to);
    return true;
  }
  const isInField =
    curve.readField(to + FIELD, input, offset) &&
    curve.readField(to, input, offset + 32) &&
    curve.readField(to + 3 * FIELD, input, offset + 64) &&
    curve.readField(to + 2 * FIELD, input, offset + 96);
  if (!isInField) return false;
  mcl._mclBnFp_setInt32(to + 4 * FIELD, 1);
  mcl._mclBnFp_setInt32(to + 5 * FIELD, 0);
  return mcl._mclBnG2_isValid(to) === 1 && isInBn254G2(curve, to);
}
