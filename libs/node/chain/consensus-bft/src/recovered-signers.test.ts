import { describe, expect, it } from '@jest/globals';
import {
  InvalidSignatureError,
  addressFromPrivateKey,
  encodeSignature65,
  keccak256,
  signDigest,
} from '@tetrad/crypto';
import { recoverCached } from './recovered-signers.js';

const keys = [1, 2].map((filler) => new Uint8Array(32).fill(filler));
const [mine, theirs] = keys.map(addressFromPrivateKey);
const digest = keccak256(Uint8Array.of(1));
const other = keccak256(Uint8Array.of(2));
const [signature, foreign] = keys.map((key) => encodeSignature65(signDigest(digest, key)));

describe('the recovered signer', () => {
  it('is the same on repeated recovery, for every signature of a digest', () => {
    for (let time = 0; time < 2; time++) {
      expect(recoverCached(digest, signature as Uint8Array)).toBe(mine);
      expect(recoverCached(digest, foreign as Uint8Array)).toBe(theirs);
    }
  });

  it('depends on the digest and the content of the bytes, and not on their location', () => {
    const bytes = Uint8Array.from(signature as Uint8Array);
    expect(recoverCached(digest, bytes)).toBe(mine);
    expect(recoverCached(other, bytes)).not.toBe(mine);
    bytes.set(foreign as Uint8Array);
    expect(recoverCached(digest, bytes)).toBe(theirs);
  });

  it('is rejected every time when no key can have made the signature', () => {
    const impossible = new Uint8Array(65);
    for (let time = 0; time < 2; time++)
      expect(() => recoverCached(digest, impossible)).toThrow(InvalidSignatureError);
    expect(() => recoverCached(digest, (signature as Uint8Array).subarray(1))).toThrow(InvalidSignatureError);
  });
});
