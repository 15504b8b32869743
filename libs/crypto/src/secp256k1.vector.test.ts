import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, scalarFromBytes } from '@tetrad/types';
import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  addressFromPrivateKey,
  decodeSignature65,
  encodeSignature65,
  generatePrivateKey,
  isPrivateKey,
  recoverAddress,
  signDigest,
} from './secp256k1.js';

const key = (scalar: bigint) => bytesFromHex(`0x${scalar.toString(16).padStart(64, '0')}`);

describe('addresses of private keys', () => {
  it.each([
    [1n, '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'],
    [2n, '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf'],
    [3n, '0x6813eb9362372eef6200f3b1dbc3f819671cba69'],
    [4n, '0x1eff47bc3a10a45d4b230b5d10e37751fe6aa718'],
  ])('key %s', (scalar, address) => {
    expect(addressFromPrivateKey(key(scalar))).toBe(address);
  });
});

describe('deterministic signatures', () => {
  it.each([
    [
      '0x33bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12',
      '0x64e28942809e957dcf0d3edd6968fead9393b5bc1ba97b389ac111315f83f0ea26ca5e1fb3be36e8e939caf15cb5c002696b65e7b38a27720287a738c75b756e00',
    ],
    [
      '0xe79dd448b4859127523e124decb5d53e6ddece6e431514568c883285096e58f0',
      '0xe6535a92c7644c6a7e3fa991b679e975d01278c01290e6317744d6e27db300fa5d1056382a14fa8322ffc34a67d6d5dcb334ee63736ea850638c6e88452034c301',
    ],
  ])('key 1 over %s', (digest, signature) => {
    const made = signDigest(bytesFromHex(digest), key(1n));
    expect(hexFromBytes(encodeSignature65(made))).toBe(signature);
    expect(scalarFromBytes(made.s)).toBeLessThanOrEqual(SECP256K1_HALF_ORDER);
    expect(recoverAddress(bytesFromHex(digest), decodeSignature65(bytesFromHex(signature)))).toBe(
      addressFromPrivateKey(key(1n)),
    );
  });
});

describe('refused material', () => {
  it('recognizes private keys', () => {
    expect(isPrivateKey(key(0n))).toBe(false);
    expect(isPrivateKey(key(SECP256K1_ORDER))).toBe(false);
    expect(isPrivateKey(key(SECP256K1_ORDER - 1n))).toBe(true);
    expect(isPrivateKey(new Uint8Array(31))).toBe(false);
    expect(isPrivateKey(generatePrivateKey())).toBe(true);
  });

  it('does not recover from a signature that no key made', () => {
    const zero = { r: new Uint8Array(32), s: new Uint8Array(32), parity: 0 } as const;
    expect(() => recoverAddress(new Uint8Array(32), zero)).toThrow(InvalidSignatureError);
  });

  it.each([64, 66])('does not read a signature of %i bytes', (length) => {
    expect(() => decodeSignature65(new Uint8Array(length))).toThrow(InvalidSignatureError);
  });

  it('does not read another recovery byte', () => {
    const bytes = new Uint8Array(65).fill(1);
    bytes[64] = 27;
    expect(() => decodeSignature65(bytes)).toThrow(InvalidSignatureError);
  });
});
