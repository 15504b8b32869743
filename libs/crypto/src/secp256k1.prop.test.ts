import { describe, expect, it } from '@jest/globals';
import { hexFromBytes, scalarFromBytes } from '@tetrad/types';
import { SigningKey, computeAddress } from 'ethers';
import fc from 'fast-check';
import {
  addressFromPrivateKey,
  addressFromPublicKey,
  decodeSignature65,
  encodeSignature65,
  InvalidSignatureError,
  isPrivateKey,
  isPublicKey,
  publicKeyFromPrivateKey,
  recoverAddress,
  recoverPublicKey,
  SECP256K1_HALF_ORDER,
  signDigest,
} from './secp256k1.js';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = bytes32.filter(isPrivateKey);

describe('secp256k1', () => {
  it('signs as ethers does, bit for bit, with s in the lower half', () => {
    fc.assert(
      fc.property(privateKey, bytes32, (key, digest) => {
        const { r, s, parity } = signDigest(digest, key);
        const theirs = new SigningKey(key).sign(digest);
        expect([hexFromBytes(r), hexFromBytes(s), parity]).toEqual([theirs.r, theirs.s, theirs.yParity]);
        expect(scalarFromBytes(s)).toBeLessThanOrEqual(SECP256K1_HALF_ORDER);
      }),
    );
  });

  it('recovers the key that signed, and the address that ethers gives it', () => {
    fc.assert(
      fc.property(privateKey, bytes32, (key, digest) => {
        const signature = signDigest(digest, key);
        expect(recoverPublicKey(digest, signature)).toEqual(publicKeyFromPrivateKey(key));
        expect(recoverAddress(digest, signature)).toBe(addressFromPrivateKey(key));
        expect(addressFromPrivateKey(key)).toBe(computeAddress(new SigningKey(key)).toLowerCase());
        expect(addressFromPublicKey(publicKeyFromPrivateKey(key))).toBe(addressFromPrivateKey(key));
      }),
    );
  });

  it('never recovers the signer from a digest or a parity that was changed', () => {
    fc.assert(
      fc.property(privateKey, bytes32, fc.nat(255), (key, digest, bit) => {
        const signature = signDigest(digest, key);
        const changed = Uint8Array.from(digest);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const other = { ...signature, parity: signature.parity === 0 ? 1 : 0 } as const;
        expect(recoverAddress(changed, signature)).not.toBe(addressFromPrivateKey(key));
        expect(recoverAddress(digest, other)).not.toBe(addressFromPrivateKey(key));
      }),
    );
  });

  it('distinguishes a public key from other bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 250 }), fc.nat(63), (seed, at) => {
        const key = publicKeyFromPrivateKey(new Uint8Array(32).fill(seed));
        expect(isPublicKey(key)).toBe(true);
        // A point has one other with its x, and that is further away than one bit of one byte.
        const changed = key.map((byte, index) => (index === (at % 32) + 32 ? byte ^ 1 : byte));
        expect(isPublicKey(changed)).toBe(false);
      }),
    );
    for (const length of [0, 63, 65]) expect(isPublicKey(new Uint8Array(length).fill(1))).toBe(false);
  });

  it('reads back the 65 bytes it wrote', () => {
    fc.assert(
      fc.property(privateKey, bytes32, (key, digest) => {
        const signature = signDigest(digest, key);
        expect(decodeSignature65(encodeSignature65(signature))).toEqual(signature);
      }),
    );
  });

  it('answers any bytes in place of a signature with an address or InvalidSignatureError', () => {
    const anySignature = fc.oneof(
      fc.uint8Array({ maxLength: 70 }),
      fc
        .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom(0, 1))
        .map(([scalars, parity]) => Uint8Array.of(...scalars, parity)),
    );
    fc.assert(
      fc.property(anySignature, bytes32, (bytes, digest) => {
        try {
          expect(recoverAddress(digest, decodeSignature65(bytes))).toMatch(/^0x[0-9a-f]{40}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSignatureError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
