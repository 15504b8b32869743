import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MODULUS, GROUP_ORDER, decodeWord, encodeWord, modulo } from './field.js';
import { GENERATOR, encodePoint, isOnCurve, multiplyGenerator } from './grumpkin.js';
import { decodeSignature, encodeSignature, sign, signatureChallenge, verifySignature } from './signature.js';

const secretKeys = fc.bigInt({ min: 1n, max: GROUP_ORDER - 1n });
const messages = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n });
const runs = { numRuns: 40 };

describe('a signature', () => {
  it('is accepted for its key and message, also after encoding', () => {
    fc.assert(
      fc.property(secretKeys, messages, (key, message) => {
        const bytes = encodeSignature(sign(key, message));
        const decoded = decodeSignature(bytes);
        expect(bytes).toHaveLength(96);
        expect(verifySignature(multiplyGenerator(key), message, decoded!)).toBe(true);
      }),
      runs,
    );
  });

  it('is refused for another message, another key, another R and another s', () => {
    fc.assert(
      fc.property(secretKeys, messages, (key, message) => {
        const P = multiplyGenerator(key);
        const signature = sign(key, message);
        const other = multiplyGenerator(modulo(key, GROUP_ORDER - 1n) + 1n);
        expect(verifySignature(P, modulo(message + 1n, FIELD_MODULUS), signature)).toBe(false);
        expect(verifySignature(other, message, signature)).toBe(other.x === P.x && other.y === P.y);
        expect(verifySignature(P, message, { ...signature, R: other })).toBe(false);
        expect(verifySignature(P, message, { ...signature, s: modulo(signature.s + 1n, GROUP_ORDER) })).toBe(
          false,
        );
      }),
      runs,
    );
  });

  it('is refused with the same s a whole order higher, or with no s', () => {
    const { R, s } = sign(7n, 7n);
    const P = multiplyGenerator(7n);
    expect(verifySignature(P, 7n, { R, s })).toBe(true);
    expect(verifySignature(P, 7n, { R, s: s + GROUP_ORDER })).toBe(false);
    expect(verifySignature(P, 7n, { R, s: 0n })).toBe(false);
  });

  it('is never made twice with one nonce', () => {
    const nonces = new Set(Array.from({ length: 20 }, () => sign(7n, 7n).R.x));
    expect(nonces.size).toBe(20);
  });

  it('whose R is the product of the challenge and the key is checked, not crashed on', () => {
    // R = e·P makes the sum a doubling, which the addition formulas cannot do; it cannot be chosen, as e depends on R.
    const P = multiplyGenerator(11n);
    for (const R of [P, { x: P.x, y: FIELD_MODULUS - P.y }, GENERATOR]) {
      for (const s of [1n, 11n, GROUP_ORDER - 11n]) {
        const e = signatureChallenge(R, P, 5n);
        expect(verifySignature(P, 5n, { R, s })).toBe(false);
        expect(e).toBeGreaterThan(0n);
      }
    }
  });
});

describe('bytes that are not a signature', () => {
  const valid = encodeSignature(sign(5n, 5n));
  const withWord = (place: number, word: bigint) => {
    const bytes = Uint8Array.from(valid);
    bytes.set(encodeWord(word), 32 * place);
    return bytes;
  };

  it.each([
    ['R off the curve', withWord(0, decodeWord(valid) ^ 1n)],
    ['R at zero, which is not infinity', withWord(0, 0n).fill(0, 0, 64)],
    ['a coordinate above the modulus', withWord(0, decodeWord(valid) + FIELD_MODULUS)],
    ['s of zero', withWord(2, 0n)],
    ['s of the order', withWord(2, GROUP_ORDER)],
    ['s of all ones', withWord(2, 2n ** 256n - 1n)],
    ['a byte too few', valid.subarray(1)],
    ['a byte too many', Uint8Array.from([...valid, 0])],
    ['nothing', new Uint8Array()],
  ])('are recognized: %s', (_, bytes) => {
    expect(decodeSignature(bytes)).toBeUndefined();
  });
});

it('random points are on the curve, and moved ones are not', () => {
  fc.assert(
    fc.property(secretKeys, (key) => {
      const { x, y } = multiplyGenerator(key);
      expect(isOnCurve({ x, y })).toBe(true);
      expect(isOnCurve({ x, y: modulo(y + 1n, FIELD_MODULUS) })).toBe(false);
      expect(isOnCurve({ x: x + FIELD_MODULUS, y })).toBe(false);
      expect(encodePoint({ x, y })).toHaveLength(64);
    }),
    runs,
  );
});
