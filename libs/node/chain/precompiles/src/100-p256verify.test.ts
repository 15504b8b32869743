import { describe, expect, it } from '@jest/globals';
import { p256 } from '@noble/curves/nist.js';
import { p256Verify } from './100-p256verify.js';

const { Point } = p256;
const ORDER = Point.Fn.ORDER;
const SECRET = 0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdefn;
const NONCE = 0xfedcba0987654321fedcba0987654321fedcba0987654321fedcba0987654321n;

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const key = Point.BASE.multiply(SECRET).toAffine();
const r = Point.BASE.multiply(NONCE).toAffine().x % ORDER;
/** The digest for which (digest / r) · base is the key. */
const EQUAL = (r * SECRET) % ORDER;

async function isValid(digest: bigint, s: bigint): Promise<boolean> {
  const input = Buffer.from([digest, r, s, key.x, key.y].map(word).join(''), 'hex');
  return ((await p256Verify.run(input)) as Uint8Array).length === 32;
}

/** s of the signature with the nonce. */
const signatureOf = (digest: bigint) =>
  Point.Fn.mul(Point.Fn.create(digest + r * SECRET), Point.Fn.inv(NONCE));

describe('a signature on P-256', () => {
  it.each([
    ['an ordinary digest', 77n],
    ['zero', 0n],
    ['the group order, which is zero', ORDER],
    ['a digest above the order', ORDER + 5n],
    ['a digest whose sum is a doubled point', EQUAL],
  ])('is valid of %s, and of no other', async (_name, digest) => {
    expect(await isValid(digest, signatureOf(digest))).toBe(true);
    expect(await isValid(digest, ORDER - signatureOf(digest))).toBe(true);
    expect(await isValid(digest + 1n, signatureOf(digest))).toBe(false);
    expect(await isValid(digest, signatureOf(digest) + 1n)).toBe(false);
  });

  it('is not valid when the sum of the points is infinity', async () => {
    expect(await isValid(ORDER - EQUAL, 5n)).toBe(false);
  });
});
