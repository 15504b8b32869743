import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MODULUS, operationKinds, type OperationKind } from '@tetrad/rollup-crypto';
import { bindCiphertexts, operationHeader, parseOperationHeader } from './public-inputs.js';

const words = fc.array(fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }), { minLength: 15, maxLength: 15 });

describe('a header', () => {
  it('encodes kind, account, token and amount, and fits a field element', () => {
    const parts = fc.record({
      kind: fc.constantFrom(...(Object.keys(operationKinds) as OperationKind[])),
      accountId: fc.nat({ max: 2 ** 32 - 1 }),
      tokenId: fc.nat({ max: 2 ** 32 - 1 }),
      amount: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    });
    fc.assert(
      fc.property(parts, (part) => {
        const header = operationHeader({ ...part, toAddress: 0n, leaf: 0n, order: 0n });
        expect(header).toBeLessThan(FIELD_MODULUS);
        expect(parseOperationHeader(header)).toEqual(part);
      }),
    );
  });

  it('of no kind there is, is refused', () => {
    expect(() => parseOperationHeader(8n << 128n)).toThrow(/8 is not a kind/);
    expect(() => parseOperationHeader(FIELD_MODULUS - 1n)).toThrow(RangeError);
  });
});

describe('the binding of ciphertexts', () => {
  it('has another commitment and another challenge for any other word', () => {
    fc.assert(
      fc.property(words, words, fc.nat({ max: 29 }), (first, second, place) => {
        const bound = bindCiphertexts([first, second]);
        const all = [...first, ...second];
        const changed = all.with(place, ((all[place] as bigint) + 1n) % FIELD_MODULUS);
        const other = bindCiphertexts([changed.slice(0, 15), changed.slice(15)]);
        expect(other.commitment).not.toBe(bound.commitment);
        expect(other.challenge).not.toBe(bound.challenge);
      }),
      { numRuns: 30 },
    );
  });

  it('is the value of the polynomial at the challenge', () => {
    const one = Array.from({ length: 15 }, (_, index) => BigInt(index));
    const { challenge, evaluation } = bindCiphertexts([one]);
    const expected = one.reduce((sum, word, index) => sum + word * challenge ** BigInt(14 - index), 0n);
    expect(evaluation).toBe(expected % FIELD_MODULUS);
  });
});
