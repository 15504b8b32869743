import { FIELD, G1, SCALAR, type Curve } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import { wordOfBoolean } from './input.js';
import type { Precompile } from './precompile.js';

/** The base point of P-256. Source: SEC 2, section 2.4.2. */
const BASE_POINT = Buffer.from(
  '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);

const NOT_VALID = new Uint8Array(0);

/**
 * ECDSA over P-256. Source: EIP-7951.
 *
 *     in:   digest (32) ‖ r (32) ‖ s (32) ‖ x (32) ‖ y (32)
 *     out:  1 (32) when the key x, y signed the digest, else nothing; it never fails
 */
export const p256Verify: Precompile = {
  gas: () => 6_900,
  run: onCurve('p256', (curve) => {
    const verify = createVerifier(curve);
    return (input) => (input.length === 160 && verify(input) ? wordOfBoolean(true) : NOT_VALID.slice());
  }),
};

function createVerifier(curve: Curve): (input: Uint8Array) => boolean {
  const { mcl } = curve;
  const [points, factors] = [curve.allocate(2 * G1), curve.allocate(2 * SCALAR)];
  const [base, key] = [points, points + G1];
  const [r, s, found, sum] = [SCALAR, SCALAR, SCALAR, G1].map((size) => curve.allocate(size)) as Four;
  if (!readPoint(curve, base, BASE_POINT, 0)) throw new Error('the base point is not on the curve');
  return (input) => {
    if (!readFactor(curve, r, input, 32) || !readFactor(curve, s, input, 64)) return false;
    if (!readPoint(curve, key, input, 96)) return false;
    // (digest / s) · base + (r / s) · key has the x that r is made of.
    curve.readScalar(factors, input, 0);
    mcl._mclBnFr_inv(s, s);
    mcl._mclBnFr_mul(factors, factors, s);
    mcl._mclBnFr_mul(factors + SCALAR, r, s);
    mcl._mclBnG1_mulVec(sum, points, factors, 2);
    if (mcl._mclBnG1_isZero(sum) === 1) return false;
    mcl._mclBnG1_normalize(sum, sum);
    curve.scalarOfField(found, sum);
    return mcl._mclBnFr_isEqual(found, r) === 1;
  };
}

type Four = [number, number, number, number];

/** Reads a part of a signature. False unless it is above zero and below the group order. */
function readFactor(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  return curve.readExactScalar(to, input, offset) && curve.mcl._mclBnFr_isZero(to) === 0;
}

/** Reads x (32) ‖ y (32). False unless it is on the curve, on which infinity has no coordinates. */
function readPoint(curve: Curve, to: number, input: Uint8Array, offset: number): boolean {
  if (!curve.readField(to, input, offset) || !curve.readField(to + FIELD, input, offset + 32)) return false;
  curve.mcl._mclBnFp_setInt32(to + 2 * FIELD, 1);
  return curve.mcl._mclBnG1_isValid(to) === 1;
}
