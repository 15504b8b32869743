import { describe, expect, it } from '@jest/globals';
import {
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  isPrivateKey,
  publicKeyFromPrivateKey,
  signDigest,
} from '@tetrad/crypto';
import { scalarFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { completeSignature } from './complete-signature.js';
import { scalarBytes } from './scalar-bytes.js';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKeys = bytes32.filter(isPrivateKey);

/** The signature as a service may give it, without its parity and with s in either half. */
function compactOf(digest: Uint8Array, privateKey: Uint8Array, isHigh: boolean): Uint8Array {
  const { r, s } = signDigest(digest, privateKey);
  return Buffer.concat([r, isHigh ? scalarBytes(SECP256K1_ORDER - scalarFromBytes(s)) : s]);
}

describe('the completed signature of a service', () => {
  it('is that of a local key, in whichever half s is', () => {
    fc.assert(
      fc.property(privateKeys, bytes32, fc.boolean(), (privateKey, digest, isHigh) => {
        const publicKey = publicKeyFromPrivateKey(privateKey);
        const compact = compactOf(digest, privateKey, isHigh);
        const { r, s, parity } = completeSignature(compact, { digest, publicKey, name: 'a' });
        const local = signDigest(digest, privateKey);
        expect(Buffer.from(r)).toEqual(Buffer.from(local.r));
        expect(Buffer.from(s)).toEqual(Buffer.from(local.s));
        expect(parity).toBe(local.parity);
        expect(scalarFromBytes(s) <= SECP256K1_HALF_ORDER).toBe(true);
      }),
    );
  });

  it('is refused when it is that of another key, or of another digest', () => {
    fc.assert(
      fc.property(privateKeys, privateKeys, bytes32, bytes32, (one, other, digest, otherDigest) => {
        fc.pre(Buffer.compare(one, other) !== 0 && Buffer.compare(digest, otherDigest) !== 0);
        const compact = compactOf(digest, one, false);
        const asked = { digest, publicKey: publicKeyFromPrivateKey(one), name: 'a' };
        const wrong = expect.objectContaining({ code: 'WRONG_KEY' });
        for (const bad of [
          { ...asked, publicKey: publicKeyFromPrivateKey(other) },
          { ...asked, digest: otherDigest },
        ]) {
          expect(() => completeSignature(compact, bad)).toThrow(wrong);
        }
      }),
    );
  });

  it('is refused when the answer is any bytes', () => {
    const digest = new Uint8Array(32).fill(2);
    const publicKey = publicKeyFromPrivateKey(new Uint8Array(32).fill(1));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 130 }), (compact) => {
        expect(() => completeSignature(compact, { digest, publicKey, name: 'a' })).toThrow(
          expect.objectContaining({ code: 'WRONG_KEY' }),
        );
      }),
    );
  });
});
