import { isZero } from '../input.js';
import { FIELD, type Curve } from './curve.js';

/** Bytes of a field element in EIP-2537: 16 of zero, then 48. */
export const BLS12_FIELD = 64;
export const BLS12_G1 = 2 * BLS12_FIELD;
export const BLS12_G2 = 4 * BLS12_FIELD;

const PADDING = 16;

/** Reads a field element in 64 bytes. False when its padding is not zero or it is not below the modulus. */
export function readBls12Field(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  return isZero(input, offset, offset + PADDING) && curve.readField(to, input, offset + PADDING);
}

/** Reads an element of the quadratic extension, c₀ (64) ‖ c₁ (64). */
export function readBls12Field2(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  return (
    readBls12Field(curve, to, input, offset) && readBls12Field(curve, to + FIELD, input, offset + BLS12_FIELD)
  );
}

/** Reads x (64) ‖ y (64), zero for infinity. False unless it is on the curve; the subgroup is not checked. */
export function readBls12G1(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  const { mcl } = curve;
  if (isZero(input, offset, offset + BLS12_G1)) {
    mcl._mclBnG1_clear(to);
    return true;
  }
  const isInField =
    readBls12Field(curve, to, input, offset) &&
    readBls12Field(curve, to + FIELD, input, offset + BLS12_FIELD);
  if (!isInField) return false;
  mcl._mclBnFp_setInt32(to + 2 * FIELD, 1);
  return mcl._mclBnG1_isValid(to) === 1;
}

/** Reads x (128) ‖ y (128), zero for infinity. False unless it is on the curve; the subgroup is not checked. */
export function readBls12G2(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  const { mcl } = curve;
  if (isZero(input, offset, offset + BLS12_G2)) {
    mcl._mclBnG2_clear(to);
    return true;
  }
  const isInField =
    readBls12Field2(curve, to, input, offset) &&
    readBls12Field2(curve, to + 2 * FIELD, input, offset + 2 * BLS12_FIELD);
  if (!isInField) return false;
  mcl._mclBnFp_setInt32(to + 4 * FIELD, 1);
  mcl._mclBnFp_setInt32(to + 5 * FIELD, 0);
  return mcl._mclBnG2_isValid(to) === 1;
}

/** The point as x (64) ‖ y (64). Changes it to its affine form. */
export function writeBls12G1(curve: Curve, point: number): Uint8Array {
  const output = new Uint8Array(BLS12_G1);
  if (curve.mcl._mclBnG1_isZero(point) === 1) return output;
  curve.mcl._mclBnG1_normalize(point, point);
  for (const at of [0, 1]) curve.writeField(point + at * FIELD, output, at * BLS12_FIELD + PADDING);
  return output;
}

/** The point as x (128) ‖ y (128). Changes it to its affine form. */
export function writeBls12G2(curve: Curve, point: number): Uint8Array {
  const output = new Uint8Array(BLS12_G2);
  if (curve.mcl._mclBnG2_isZero(point) === 1) return output;
  curve.mcl._mclBnG2_normalize(point, point);
  for (const at of [0, 1, 2, 3]) curve.writeField(point + at * FIELD, output, at * BLS12_FIELD + PADDING);
  return output;
}
