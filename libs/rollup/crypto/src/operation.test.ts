import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { encrypt } from './encryption.js';
import { multiplyGenerator } from './grumpkin.js';
import { inboundMoneyOrder, moneyOrderHash, splitTotalIndex, totalIndex } from './money-order.js';
import {
  acceptedPlaintext,
  creationOfWords,
  operationHash,
  operationPlaintext,
  rollupDomain,
  type SignedKind,
} from './operation.js';

const address = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const jointKey = { user: multiplyGenerator(3n), operator: multiplyGenerator(4n) };
const ciphertext = encrypt([1n], jointKey, 9n);
const order = { fromAccountId: 4, toAccountId: 9, tokenId: 1, amount: 2500n, blindingFactor: 77n };
const domain = rollupDomain(1337n, address);

const operations: Readonly<Record<string, SignedKind>> = {
  createAccount: {
    kind: 'createAccount',
    publicKey: multiplyGenerator(2n),
    jointKey,
    blindingFactor: 5n,
    ciphertext,
  },
  createMoneyOrder: { kind: 'createMoneyOrder', order, nonce: 1, ciphertext },
  redeemMoneyOrder: { kind: 'redeemMoneyOrder', order, totalIndex: 65536, nonce: 1, ciphertext },
  outboundTransfer: {
    kind: 'outboundTransfer',
    fromAccountId: 4,
    toEthereumAddress: address,
    tokenId: 1,
    amount: 2500n,
    nonce: 1,
  },
  // What opens the consent is in the text alone.
  setConsent: { kind: 'setConsent', accountId: 9, consent: 99n, terms: undefined, nonce: 1, ciphertext },
};

/** The operation with each number and each bigint in it changed in turn. */
function variants(value: unknown): unknown[] {
  if (typeof value === 'bigint') return [value + 1n];
  if (typeof value === 'number') return [value + 1];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => variants(item).map((other) => value.with(index, other)));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    variants(item).map((other) => ({ ...value, [name]: other })),
  );
}

describe('the hash of an operation', () => {
  it.each(Object.keys(operations))('of %s changes with each of its fields', (kind) => {
    const operation = operations[kind] as SignedKind;
    const changed = variants(operation) as SignedKind[];
    const hashes = new Set([operation, ...changed].map((each) => operationHash(domain, each)));
    expect(changed.length).toBeGreaterThan(3);
    expect(hashes.size).toBe(changed.length + 1);
  });

  it('is another one for another kind, chain or contract', () => {
    const { createMoneyOrder } = operations as { createMoneyOrder: SignedKind };
    const other = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8f');
    const domains = [domain, rollupDomain(1338n, address), rollupDomain(1337n, other)];
    const hashes = [
      ...domains.map((each) => operationHash(each, createMoneyOrder)),
      operationHash(domain, operations['redeemMoneyOrder'] as SignedKind),
    ];
    expect(new Set(hashes).size).toBe(4);
    for (const each of domains) expect(each >> 248n).toBe(0n);
  });

  it('of a payment says whether it may be credited', () => {
    const payment = operations['createMoneyOrder'] as Extract<SignedKind, { kind: 'createMoneyOrder' }>;
    const hash = operationHash(domain, payment);
    expect(operationHash(domain, { ...payment, isDirect: false })).toBe(hash);
    expect(operationHash(domain, { ...payment, isDirect: true })).not.toBe(hash);
  });

  it('changes with the address paid', () => {
    const outbound = operations['outboundTransfer'] as SignedKind;
    const other = {
      ...outbound,
      toEthereumAddress: parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8f'),
    };
    expect(operationHash(domain, other as SignedKind)).not.toBe(operationHash(domain, outbound));
  });
});

it('a ciphertext says the fields in the order in which they are hashed', () => {
  const [publicKey, { user }] = [multiplyGenerator(2n), jointKey];
  const said = [5n, publicKey.x, publicKey.y, user.x, user.y];
  expect(operationPlaintext(operations['createAccount'] as never)).toEqual(said);
  expect(operationPlaintext(operations['createMoneyOrder'] as never)).toEqual([4n, 9n, 1n, 2500n, 77n]);
  expect(operationPlaintext(operations['redeemMoneyOrder'] as never)).toEqual([
    4n,
    9n,
    1n,
    2500n,
    77n,
    65536n,
  ]);
});

it('total indexes are four bytes of batch and two of place', () => {
  expect(totalIndex(1, 0)).toBe(65_536);
  expect(totalIndex(2 ** 32 - 1, 65_535)).toBe(2 ** 48 - 1);
  expect(splitTotalIndex(2 ** 48 - 1)).toEqual({ batchHeight: 2 ** 32 - 1, index: 65_535 });
});

it('two deposits of the same amount are different orders', () => {
  const deposit = { accountId: 3, tokenId: 0, amount: 5n };
  const orders = [0, 1].map((index) => inboundMoneyOrder({ ...deposit, index }));
  expect(new Set(orders.map(moneyOrderHash)).size).toBe(2);
  expect(orders[0]?.fromAccountId).toBe(0);
});

describe('the text of a creation', () => {
  const creation = operations['createAccount'] as Extract<SignedKind, { kind: 'createAccount' }>;
  const said = operationPlaintext(creation);

  it('gives the operator what the account is made of', () => {
    const { publicKey, blindingFactor } = creation;
    expect(creationOfWords(said, jointKey.operator)).toEqual({ publicKey, jointKey, blindingFactor });
  });

  it.each([
    ['has the blinding factor alone', said.slice(0, 1)],
    ['has a word more', [...said, 0n]],
    ['has no account key of the curve', said.with(2, (said[2] as bigint) + 1n)],
    ['has no encryption key of the curve', said.with(3, 1n)],
    ['is nothing', []],
  ])('gives nothing when it %s', (_, words) => {
    expect(creationOfWords(words, jointKey.operator)).toBeUndefined();
  });

  it('may be the blinding factor alone, as the interface document has it', () => {
    const short = { ...creation, ciphertext: encrypt([5n], jointKey, 9n) };
    expect(acceptedPlaintext(short)).toEqual([5n]);
    const long = { ...creation, ciphertext: encrypt(said, jointKey, 9n) };
    expect(acceptedPlaintext(long)).toEqual(said);
  });
});
