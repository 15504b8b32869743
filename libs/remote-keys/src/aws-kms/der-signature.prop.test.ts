import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import fc from 'fast-check';
import { compactFromDer, publicKeyFromSpki } from './der-signature.js';

const privateKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);
const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** The key as OpenSSL has it. */
function opensslKey(privateKey: Uint8Array) {
  const publicKey = publicKeyFromPrivateKey(privateKey);
  const [x, y] = [base64Url(publicKey.slice(0, 32)), base64Url(publicKey.slice(32))];
  return createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'secp256k1', x, y, d: base64Url(privateKey) },
  });
}

describe('DER', () => {
  it('of a public key of OpenSSL is read', () => {
    fc.assert(
      fc.property(privateKeys, (privateKey) => {
        const spki = createPublicKey(opensslKey(privateKey)).export({ format: 'der', type: 'spki' });
        expect(Buffer.from(publicKeyFromSpki(spki) ?? [])).toEqual(
          Buffer.from(publicKeyFromPrivateKey(privateKey)),
        );
      }),
    );
  });

  it('of a signature of OpenSSL is read as it writes it without DER', () => {
    fc.assert(
      fc.property(privateKeys, fc.uint8Array(), (privateKey, message) => {
        const der = sign('sha256', message, opensslKey(privateKey));
        const compact = compactFromDer(der);
        expect(compact?.length).toBe(64);
        const integers = [compact?.slice(0, 32), compact?.slice(32)].map((half) =>
          Buffer.from(half ?? []).toString('hex'),
        );
        expect(integers.map((hex) => BigInt(`0x${hex}`))).toEqual(integersOf(der));
      }),
    );
  });

  it('that is cut or changed in its lengths is not read', () => {
    fc.assert(
      fc.property(privateKeys, fc.nat(70), (privateKey, at) => {
        const der = sign('sha256', new Uint8Array(1), opensslKey(privateKey));
        expect(compactFromDer(der.subarray(0, at % der.length))).toBeUndefined();
        const longer = Buffer.from(der);
        longer[3] = (longer[3] ?? 0) + 1 + (at % 50);
        expect(compactFromDer(longer)).toBeUndefined();
      }),
    );
  });

  it('is not read from any bytes that are no DER', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        fc.pre(bytes[0] !== 0x30);
        expect([compactFromDer(bytes), publicKeyFromSpki(bytes)]).toEqual([undefined, undefined]);
      }),
    );
  });
});

/** Both integers, by their lengths alone. */
function integersOf(der: Buffer): readonly bigint[] {
  const length = der[3] ?? 0;
  const halves = [der.subarray(4, 4 + length), der.subarray(6 + length)];
  return halves.map((half) => BigInt(`0x${half.toString('hex')}`));
}
