import { createECDH } from 'node:crypto';
import { FIELD, G1, SCALAR, type Curve } from './curves/curve.js';
import { onCurve } from './curves/on-curve.js';
import { wordOfBoolean } from './input.js';
import type { Precompile } from './precompile.js';

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

/** Bytes of a point as OpenSSL has it: a four, x (32) and y (32). */
const ENCODED = 65;

/**
 * The point whose x is compared is (digest / s) · base + (r / s) · key, that is (r / s) · (key + (digest / r) · base).
 * Both products are those of a Diffie-Hellman exchange, for which OpenSSL has P-256 in assembly: a private key's public
 * one, and the x that two sides share. mcl takes three times as long for their sum.
 */
function createVerifier(curve: Curve): (input: Uint8Array) => boolean {
  const { mcl } = curve;
  const [r, s, factor] = [SCALAR, SCALAR, SCALAR].map((size) => curve.allocate(size)) as Three;
  const [key, multiple] = [curve.allocate(G1), curve.allocate(G1)];
  const exchange = createECDH('prime256v1');
  const [scalar, point] = [new Uint8Array(SCALAR), new Uint8Array(ENCODED)];
  point[0] = 4;
  const take = (from: number): void => {
    curve.writeScalar(from, scalar, 0);
    exchange.setPrivateKey(scalar);
  };
  return (input) => {
    if (!readFactor(curve, r, input, 32) || !readFactor(curve, s, input, 64)) return false;
    if (!readPoint(curve, key, input, 96)) return false;
    curve.readScalar(factor, input, 0);
    if (mcl._mclBnFr_isZero(factor) === 0) {
      mcl._mclBnFr_inv(multiple, r);
      mcl._mclBnFr_mul(factor, factor, multiple);
      take(factor);
      readPoint(curve, multiple, exchange.getPublicKey(), 1);
      mcl._mclBnG1_add(key, key, multiple);
      if (mcl._mclBnG1_isZero(key) === 1) return false;
      mcl._mclBnG1_normalize(key, key);
    }
    mcl._mclBnFr_inv(s, s);
    mcl._mclBnFr_mul(factor, r, s);
    take(factor);
    curve.writeField(key, point, 1);
    curve.writeField(key + FIELD, point, 1 + 32);
    curve.readScalar(factor, exchange.computeSecret(point), 0);
    return mcl._mclBnFr_isEqual(factor, r) === 1;
  };
}

type Three = [number, number, number];

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
