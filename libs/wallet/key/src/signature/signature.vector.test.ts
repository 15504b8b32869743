import { describe, expect, it } from '@jest/globals';
import { blake2b256, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { blsAddress, secp256k1Address } from '../address/coin-address.js';
import { parseCoinAddress } from '../address/address-text.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blsPublicKey } from './bls.js';
import type { KeyKind } from './coin-signature.js';
import { signData, verifySignature } from './sign.js';

interface SignatureVectors {
  readonly signatures: readonly (Readonly<
    Record<'id' | 'privateKey' | 'address' | 'data' | 'signature', string>
  > & { readonly kind: KeyKind })[];
  readonly signaturesOfContentIds: readonly (Readonly<
    Record<'id' | 'privateKey' | 'cbor' | 'signature', string>
  > & { readonly kind: KeyKind })[];
  readonly digest: Readonly<Record<'id' | 'cbor' | 'digest', string>>;
  readonly verifications: readonly (Readonly<Record<'id' | 'address' | 'data' | 'signature', string>> & {
    readonly type: number;
  })[];
}

const file = join(import.meta.dirname, '../../vectors/signature/signatures.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as SignatureVectors;
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** CIDv1 ‖ dag-cbor ‖ blake2b-256 of 32 bytes. */
const contentId = (cbor: string) => Buffer.concat([hex('0171a0e40220'), blake2b256(hex(cbor))]);

describe('published signatures', () => {
  it.each(vectors.signatures)('$id of a $kind key', ({ kind, privateKey, address, data, signature }) => {
    const key = hex(privateKey);
    const made = signData(kind, key, hex(data));
    expect(text(made.data)).toBe(signature);
    const ours =
      kind === 'bls'
        ? blsAddress(blsPublicKey(key))
        : secp256k1Address(Uint8Array.of(4, ...publicKeyFromPrivateKey(key)));
    expect(ours.equals(parseCoinAddress(address))).toBe(true);
    expect(verifySignature(ours, hex(data), made)).toBe(true);
    expect(verifySignature(ours, hex(`${data}00`), made)).toBe(false);
  });

  it.each(vectors.signaturesOfContentIds)('$id of a content id', ({ kind, privateKey, cbor, signature }) => {
    expect(text(signData(kind, hex(privateKey), contentId(cbor)).data)).toBe(signature);
  });

  it('WP-41 is the digest of a content id', () => {
    expect(text(blake2b256(contentId(vectors.digest.cbor)))).toBe(vectors.digest.digest);
  });

  it.each(vectors.verifications)('$id verifies without its key', ({ address, type, data, signature }) => {
    const signer = parseCoinAddress(address);
    expect(verifySignature(signer, hex(data), { type, data: hex(signature) })).toBe(true);
    expect(verifySignature(signer, hex(data).fill(0, 3, 4), { type, data: hex(signature) })).toBe(false);
  });
});
