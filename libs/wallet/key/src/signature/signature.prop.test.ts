import { describe, expect, it } from '@jest/globals';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { addressFromPrivateKey, generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { blsAddress, secp256k1Address, idAddress, type CoinAddress } from '../address/coin-address.js';
import { delegatedFromEthAddress } from '../address/eth-address.js';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { blsPrivateKeyOf, blsPublicKey, verifyBls } from './bls.js';
import type { KeyKind } from './coin-signature.js';
import { signData, verifySignature } from './sign.js';

interface Signer {
  readonly kind: KeyKind;
  readonly key: Uint8Array;
  readonly address: CoinAddress;
}

function signerOf(kind: KeyKind): Signer {
  if (kind === 'bls') {
    const key = blsPrivateKeyOf(randomBytes(32));
    return { kind, key, address: blsAddress(blsPublicKey(key)) };
  }
  const key = generatePrivateKey();
  const address =
    kind === 'secp256k1'
      ? secp256k1Address(Uint8Array.of(4, ...publicKeyFromPrivateKey(key)))
      : delegatedFromEthAddress(addressFromPrivateKey(key));
  return { kind, key, address };
}

const RUNS: readonly (readonly [KeyKind, number])[] = [
  ['secp256k1', 300],
  ['delegated', 300],
  ['bls', 15],
];
const data = fc.uint8Array({ maxLength: 300 });

describe.each(RUNS)('signatures of %s keys', (kind, numRuns) => {
  const signer = signerOf(kind);
  const other = signerOf(kind);

  it('verify for their data and their signer alone', () => {
    fc.assert(
      fc.property(data, data, (signed, another) => {
        const signature = signData(kind, signer.key, signed);
        expect(signature).toEqual(signData(kind, signer.key, signed));
        expect(verifySignature(signer.address, signed, signature)).toBe(true);
        expect(verifySignature(other.address, signed, signature)).toBe(false);
        if (!Buffer.from(signed).equals(another)) {
          expect(verifySignature(signer.address, another, signature)).toBe(false);
        }
      }),
      { numRuns },
    );
  });

  it('do not verify with a bit changed, a byte more or less, or another type', () => {
    fc.assert(
      fc.property(data, fc.nat(), (signed, at) => {
        const signature = signData(kind, signer.key, signed);
        const bit = at % (signature.data.length * 8);
        const changed = Uint8Array.from(signature.data);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        const verdict = (bytes: Uint8Array, type = signature.type) =>
          verifySignature(signer.address, signed, { type, data: bytes });
        expect(verdict(changed)).toBe(false);
        expect(verdict(signature.data.slice(1))).toBe(false);
        expect(verdict(Uint8Array.of(...signature.data, 0))).toBe(false);
        for (const type of [0, 1, 2, 3, 4, 255]) {
          if (type !== signature.type) expect(verdict(signature.data, type)).toBe(false);
        }
      }),
      { numRuns },
    );
  });

  it('are distinguished from any other bytes', () => {
    const anySignature = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.uint8Array({ minLength: 65, maxLength: 65 }),
      fc.uint8Array({ minLength: 96, maxLength: 96 }),
    );
    fc.assert(
      fc.property(anySignature, fc.nat(4), (bytes, type) => {
        expect(verifySignature(signer.address, bytes, { type, data: bytes })).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('addresses that cannot sign', () => {
  it('verify nothing', () => {
    const { key } = signerOf('secp256k1');
    const signature = signData('secp256k1', key, Uint8Array.of(1));
    expect(verifySignature(idAddress(1234n), Uint8Array.of(1), signature)).toBe(false);
  });
});

/** A compressed point of the lowest x that lies on the curve; that it is in no subgroup the other library says too. */
function foreignG1(): Uint8Array {
  const { Fp } = bls12_381.fields;
  for (let x = 1n; ; x++) {
    if (!isSquare(() => Fp.sqrt(x ** 3n + 4n))) continue;
    return foreign(Uint8Array.of(0x80, ...new Uint8Array(46), Number(x)), bls12_381.G1.Point);
  }
}

function foreignG2(): Uint8Array {
  const { Fp2 } = bls12_381.fields;
  for (let x = 1n; ; x++) {
    if (!isSquare(() => Fp2.sqrt(Fp2.fromBigTuple([x ** 3n + 4n, 4n])))) continue;
    return foreign(Uint8Array.of(0x80, ...new Uint8Array(94), Number(x)), bls12_381.G2.Point);
  }
}

function isSquare(root: () => unknown): boolean {
  try {
    root();
    return true;
  } catch {
    return false;
  }
}

function foreign(bytes: Uint8Array, curve: { fromBytes(bytes: Uint8Array): unknown }): Uint8Array {
  expect(() => curve.fromBytes(bytes)).toThrow('subgroup');
  return bytes;
}

describe('the BLS scheme', () => {
  const scheme = bls12_381.longSignatures;
  const tag = { DST: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_' };

  it('agrees with another implementation, bit for bit', () => {
    fc.assert(
      fc.property(data, fc.uint8Array({ minLength: 32, maxLength: 32 }), (signed, entropy) => {
        const key = blsPrivateKeyOf(entropy);
        const bigEndian = Uint8Array.from(key).reverse();
        const theirs = scheme.sign(scheme.hash(signed, tag.DST), bigEndian);
        expect(Buffer.from(scheme.Signature.toBytes(theirs)).toString('hex')).toBe(
          Buffer.from(signData('bls', key, signed).data).toString('hex'),
        );
      }),
      { numRuns: 5 },
    );
  });

  it('refuses points that are infinite or of another subgroup', () => {
    const { key } = signerOf('bls');
    const publicKey = blsPublicKey(key);
    const infinite = (size: number) => Uint8Array.of(0xc0, ...new Uint8Array(size - 1));
    expect(verifyBls(infinite(48), Uint8Array.of(1), infinite(96))).toBe(false);
    expect(verifyBls(new Uint8Array(48), Uint8Array.of(1), new Uint8Array(96))).toBe(false);
    expect(verifyBls(publicKey, Uint8Array.of(1), infinite(96))).toBe(false);
  });

  it('refuses keys and signatures outside their subgroups', () => {
    const { key } = signerOf('bls');
    const made = signData('bls', key, Uint8Array.of(1)).data;
    expect(verifyBls(foreignG1(), Uint8Array.of(1), made)).toBe(false);
    expect(verifyBls(blsPublicKey(key), Uint8Array.of(1), foreignG2())).toBe(false);
  });
});
