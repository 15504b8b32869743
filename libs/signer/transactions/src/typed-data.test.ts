import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { TypedDataEncoder } from 'ethers/hash';
import { typedDataDigest } from './typed-data.js';
import { TypedDataError } from './typed-data-bounds.js';

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

  /** Each type refers to all later ones. */
  const chain = (length: number, later = length) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `T${index}`,
        Array.from({ length: Math.min(later, length - 1 - index) }, (_entry, next) => ({
          name: `m${next}`,
          type: `T${index + next + 1}`,
        })),
      ]),
    );
  const ofType = (type: string) => ({ T0: [{ name: 'x', type }] });
  const many = (count: number, value: unknown) => ({ x: Array.from({ length: count }, () => value) });

  it.each<[string, object, object, string]>([
    ['22 types that refer to all later ones', chain(22), {}, 'more than 10000 ways'],
    ['150 types that do', chain(150, 3), {}, 'more than 100 types'],
    ['90 types in each other', chain(90, 1), {}, 'deeper than 32 levels'],
    ['types too wide', { T0: many(1_001, { name: 'a', type: 'bool' }).x }, {}, 'more than 1000 members'],
    ['types too long', ofType('a'.repeat(20_000)), {}, 'more than 16384 characters'],
    ['brackets before a name', ofType(`${'[]'.repeat(8_000)}x`), { x: 1 }, 'unknown type'],
    ['brackets behind one', ofType(`x${'[]'.repeat(8_000)}`), { x: 1 }, 'must be an array'],
    ['digits in brackets', ofType(`x[${'1'.repeat(16_000)}`), { x: [] }, 'unknown type'],
    ['more values than there is time for', ofType('uint8[]'), many(4_096, 1), 'more than 4096 values'],
    [
      'empty structs by the thousand',
      { ...ofType('E[]'), E: [] },
      many(300_000, {}),
      'more than 4096 values',
    ],
    [
      'an integer of a million digits',
      ofType('uint8'),
      { x: '1'.repeat(1_000_000) },
      'at most 80 characters',
    ],
    [
      'a member that every object inherits',
      { T0: [{ name: 'constructor', type: 'bool' }] },
      {},
      'is missing',
    ],
    [
      'inherited members of inherited ones',
      { ...chain(2), T1: [{ name: 'name', type: 'string' }] },
      { m0: 5 },
      'must be an object',
    ],
    ['text instead of an array', ofType('uint8[3]'), { x: '123' }, 'must be an array'],
  ])('are refused before they are hashed with %s', (_what, types, message, problem) => {
    const data = { types, primaryType: 'T0', domain: {}, message } as never;
    expect(() => typedDataDigest(data)).toThrow(TypedDataError);
    expect(() => typedDataDigest(data)).toThrow(problem);
  });

  it('may nest and share their types up to generous bounds', () => {
    const types = chain(6);
    const fill = (index: number): object =>
      Object.fromEntries((types[`T${index}`] ?? []).map(({ name }, next) => [name, fill(index + next + 1)]));
    const data = { types, primaryType: 'T0', domain: {}, message: fill(0) as Record<string, unknown> };
    expect(hexFromBytes(typedDataDigest(data))).toBe(TypedDataEncoder.hash({}, types, data.message));
    const dims = '[2]'.repeat(12);
    const nested = Array.from({ length: 12 }).reduce<unknown>((inner) => [inner, inner], 7);
    const deep = { types: ofType(`uint8${dims}`), primaryType: 'T0', domain: {}, message: { x: nested } };
    expect(() => typedDataDigest(deep)).toThrow('more than 4096 values');
  });

  it('have a domain with separate bounds', () => {
    const domain = { chainId: '1'.repeat(1_000_000) };
    expect(() => typedDataDigest({ ...MAIL, domain })).toThrow('domain.name: is missing');
    const types = { Person: MAIL.types.Person, Mail: MAIL.types.Mail };
    expect(() => typedDataDigest({ ...MAIL, types, domain })).toThrow('domain.chainId');
  });
});
