import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operationHeader } from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, type OperationKind } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, addressFromBytes, hexFromBytes, type Hex } from '@tetrad/types';
import {
  BatchDataError,
  decodeOperations,
  encodeOperations,
  type PublishedOperations,
} from './batch-operations.js';

const element = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n });
const text = fc.array(element, { minLength: 15, maxLength: 15 });
const none = fc.constant(0n);
const FORMS = {
  noOp: { amount: false, recipient: false, leaf: false, order: false },
  createAccount: { amount: false, recipient: false, leaf: true, order: false },
  createMoneyOrder: { amount: false, recipient: false, leaf: true, order: true },
  redeemMoneyOrder: { amount: false, recipient: false, leaf: true, order: false },
  outboundTransfer: { amount: true, recipient: true, leaf: true, order: false },
  inboundTransfer: { amount: true, recipient: false, leaf: false, order: true },
  setConsent: { amount: false, recipient: false, leaf: true, order: false },
  credit: { amount: false, recipient: false, leaf: true, order: false },
} as const satisfies Record<OperationKind, object>;

/** An operation of any kind, with a text of any length: what the circuit can publish. */
const operation = fc.constantFrom(...(Object.keys(FORMS) as OperationKind[])).chain((kind) => {
  const { amount, recipient, leaf, order } = FORMS[kind];
  return fc.record({
    kind: fc.constant(kind),
    accountId: kind === 'noOp' ? fc.constant(0) : fc.nat({ max: 2 ** 32 - 1 }),
    tokenId: amount ? fc.nat({ max: 2 ** 32 - 1 }) : fc.constant(0),
    amount: amount ? fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) : none,
    recipient: recipient
      ? fc.uint8Array({ minLength: 20, maxLength: 20 }).map(addressFromBytes)
      : fc.constant(ZERO_ADDRESS),
    leaf: leaf ? element : none,
    order: order ? element : none,
    text: fc
      .tuple(text, fc.nat({ max: 15 }))
      .map(([words, used]) => words.map((word, index) => (index < used ? word : 0n))),
  });
});

const batch = fc.array(operation, { maxLength: 5 }).map((list): PublishedOperations => ({
  headers: list.map((each) => operationHeader({ ...each, toAddress: 0n })),
  recipients: list.map(({ recipient }) => recipient),
  leaves: list.map(({ leaf }) => leaf),
  orders: list.map(({ order }) => order),
  ciphertexts: list.flatMap(({ text: words }) => words),
}));

const written = (...bytes: number[]): Hex => hexFromBytes(Uint8Array.from(bytes));

describe('the operations of a batch', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(batch, (operations) => {
        const data = hexFromBytes(encodeOperations(operations));
        expect(decodeOperations(data, operations.headers.length)).toEqual(operations);
      }),
    );
  });

  it('are refused with a byte more or less, or another number of them', () => {
    fc.assert(
      fc.property(batch, (operations) => {
        const data = hexFromBytes(encodeOperations(operations));
        const size = operations.headers.length;
        expect(() => decodeOperations(`${data}00`, size)).toThrow(BatchDataError);
        expect(() => decodeOperations(data, size + 1)).toThrow(BatchDataError);
        if (size === 0) return;
        expect(() => decodeOperations(data.slice(0, -2) as Hex, size)).toThrow(BatchDataError);
        expect(() => decodeOperations(data, size - 1)).toThrow(BatchDataError);
      }),
    );
  });

  it('can be written in one way only: any bytes that are read are written so again', () => {
    const start = fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 2 }));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 140 }), (prefix, rest) => {
        const data = written(...prefix, ...rest);
        let read: PublishedOperations;
        try {
          read = decodeOperations(data, 1);
        } catch (error) {
          expect(error).toBeInstanceOf(BatchDataError);
          return;
        }
        expect(hexFromBytes(encodeOperations(read))).toBe(data);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a kind that there is not', written(8, 0), /8 is not a kind/],
    ['sixteen words', written(0, 16, ...new Uint8Array(512).fill(1)), /16 words/],
    ['a text that ends with zero', written(0, 1, ...new Uint8Array(32)), /last word of a ciphertext is zero/],
    ['a word above the modulus', written(0, 1, ...new Uint8Array(32).fill(255)), /not below the modulus/],
    ['nothing', '0x', /not complete/],
  ] as const)('with %s are refused', (_, data, said) => {
    expect(() => decodeOperations(data, 1)).toThrow(said);
  });

  it('are refused when something has no place, which would be lost', () => {
    const one = { recipients: [ZERO_ADDRESS], ciphertexts: Array.from({ length: 15 }, () => 0n) };
    const none = { ...one, headers: [0n], leaves: [0n], orders: [0n] };
    expect(encodeOperations(none)).toHaveLength(2);
    for (const change of [{ leaves: [1n] }, { orders: [1n] }, { headers: [1n] }, { headers: [1n << 96n] }])
      expect(() => encodeOperations({ ...none, ...change })).toThrow(BatchDataError);
  });
});
