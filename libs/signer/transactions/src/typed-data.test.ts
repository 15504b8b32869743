import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { TypedDataEncoder } from 'ethers';
import { TypedDataError, typedDataDigest } from './typed-data.js';

/** The example of EIP-712, whose digest the EIP states. */
const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};

describe('typed data', () => {
  it('have the digest that EIP-712 states for its example', () => {
    expect(hexFromBytes(typedDataDigest(MAIL))).toBe(
      '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    );
  });

  it('may come with types that the primary one does not use, and without those of the domain', () => {
    const types = { Person: MAIL.types.Person, Mail: MAIL.types.Mail };
    const data = { ...MAIL, types: { ...types, Other: [{ name: 'x', type: 'Person[2][]' }] } };
    expect(typedDataDigest(data)).toEqual(typedDataDigest(MAIL));
    expect(hexFromBytes(typedDataDigest({ ...data, primaryType: 'Other', message: { x: [] } }))).toBe(
      TypedDataEncoder.hash(MAIL.domain, { Other: data.types.Other, Person: types.Person }, { x: [] }),
    );
  });

  it('hash the domain by the fields that are declared for it', () => {
    const own = { ...MAIL, types: { ...MAIL.types, EIP712Domain: [{ name: 'name', type: 'string' }] } };
    const types = { Person: MAIL.types.Person, Mail: MAIL.types.Mail };
    expect(hexFromBytes(typedDataDigest(own))).toBe(
      TypedDataEncoder.hash({ name: 'Ether Mail' }, types, MAIL.message),
    );
  });

  it('may be a domain alone', () => {
    const digest = typedDataDigest({ ...MAIL, primaryType: 'EIP712Domain' });
    expect(digest).toHaveLength(32);
    expect(digest).not.toEqual(typedDataDigest(MAIL));
  });

  it.each([
    ['a primary type that is not declared', { primaryType: 'Nothing' }],
    ['a primary type that every object has', { primaryType: 'constructor' }],
    ['a field that is missing', { message: { from: MAIL.message.from } }],
    ['a value of another type', { message: { ...MAIL.message, to: 5 } }],
    ['a type that refers to itself', { types: { ...MAIL.types, Person: [{ name: 'p', type: 'Person' }] } }],
    ['an unknown type', { types: { ...MAIL.types, Person: [{ name: 'p', type: 'uint7' }] } }],
  ])('are refused with %s', (_what, change) => {
    expect(() => typedDataDigest({ ...MAIL, ...change })).toThrow(TypedDataError);
  });
});
