import { describe, expect, it } from '@jest/globals';
import { decode, encode } from 'cborg';
import fc from 'fast-check';
import { CborReader, cborArray, cborBytes, cborInteger, cborMap, cborText } from './index.js';

const MOST = 1_000;
// Values around the places where heads grow are where encoders go wrong.
const edges = [0n, 23n, 24n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n];
const uint64 = fc.oneof(fc.constantFrom(...edges, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n));
const int64 = fc
  .tuple(fc.boolean(), fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, 2n ** 63n - 1n)))
  .map(([isNegative, value]) => (isNegative ? -1n - value : value));
const content = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.uint8Array({ minLength: 250, maxLength: 300 }));
const text = fc.string({ unit: 'grapheme', maxLength: 100 });

class Refused extends Error {}

function readerOf(bytes: Uint8Array, canonical = true): CborReader {
  return new CborReader(bytes, { fault: (message) => new Refused(message), canonical });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const fromHex = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'));

describe('CBOR of values', () => {
  it('is what another encoder writes, and is read back', () => {
    fc.assert(
      fc.property(uint64, int64, content, text, (unsigned, signed, bytes, words) => {
        const items = [cborInteger(unsigned), cborInteger(signed), cborBytes(bytes), cborText(words)];
        const written = cborArray(items);
        expect(hex(written)).toBe(hex(encode([unsigned, signed, bytes, words])));
        const reader = readerOf(written);
        expect(reader.array('list', 4)).toBe(4);
        expect([reader.uint('a'), reader.int64('b')]).toEqual([unsigned, signed]);
        expect(reader.bytes('c', MOST)).toEqual(bytes);
        expect(reader.text('d', MOST)).toBe(words);
        expect(reader.left).toBe(0);
      }),
    );
  });

  it('has the entries of a map in the order given', () => {
    const names = fc.uniqueArray(text, { maxLength: 40 });
    fc.assert(
      fc.property(names, (keys) => {
        const written = cborMap(keys.map((key, index) => [key, cborInteger(BigInt(index))]));
        const inOrder = { mapSorter: () => 0 };
        const byLibrary = encode(new Map(keys.map((key, index) => [key, index])), inOrder);
        expect(hex(written)).toBe(hex(byLibrary));
        const reader = readerOf(written);
        expect(reader.map('map', 40)).toBe(keys.length);
        for (const [index, key] of keys.entries()) {
          expect(reader.text('key', MOST)).toBe(key);
          expect(reader.uint('value')).toBe(BigInt(index));
        }
      }),
    );
  });
});

/** Heads longer than their arguments require, and what they begin. */
const LONGER: readonly {
  readonly what: string;
  readonly digits: string;
  readonly read: (reader: CborReader) => unknown;
  readonly value: unknown;
}[] = [
  { what: 'an integer in two bytes', digits: '1817', read: (reader) => reader.uint('x'), value: 23n },
  {
    what: 'an integer in nine bytes',
    digits: '1b0000000000000001',
    read: (reader) => reader.uint('x'),
    value: 1n,
  },
  { what: 'a negative integer', digits: '3900ff', read: (reader) => reader.int64('x'), value: -256n },
  { what: 'bytes', digits: '590001aa', read: (reader) => reader.bytes('x', 9), value: Uint8Array.of(0xaa) },
  {
    what: 'bytes of a known length',
    digits: '5801aa',
    read: (reader) => reader.exactly('x', 1),
    value: Uint8Array.of(0xaa),
  },
  { what: 'a text', digits: '7a0000000161', read: (reader) => reader.text('x', 9), value: 'a' },
  {
    what: 'an array',
    digits: '980101',
    read: (reader) => reader.list('x', 9, () => reader.uint('item')),
    value: [1n],
  },
  { what: 'a map', digits: 'b80101', read: (reader) => reader.map('x', 9), value: 1 },
];

describe('a head longer than it has to be', () => {
  it.each(LONGER)('of $what is refused where the encoding has to be canonical', ({ digits, read }) => {
    expect(() => read(readerOf(fromHex(digits)))).toThrow(new Refused('x is not in its shortest encoding'));
  });

  it.each(LONGER)('of $what is read where it need not', ({ digits, read, value }) => {
    expect(read(readerOf(fromHex(digits), false))).toEqual(value);
  });
});

describe('bytes of a stranger', () => {
  const reads: ((reader: CborReader) => unknown)[] = [
    (reader) => reader.uint('x'),
    (reader) => reader.int64('x'),
    (reader) => reader.bytes('x', 50),
    (reader) => reader.exactly('x', 3),
    (reader) => reader.text('x', 50),
    (reader) => reader.array('x', 50),
    (reader) => reader.map('x', 50),
    (reader) => reader.list('x', 50, () => reader.uint('x')),
  ];

  it('are read, or refused under the name of what was expected; each read goes forward', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 60 }), uint64.map(cborInteger), content.map(cborBytes));
    fc.assert(
      fc.property(bytes, fc.array(fc.constantFrom(...reads)), fc.boolean(), (input, calls, canonical) => {
        const reader = readerOf(input, canonical);
        for (const read of calls) {
          const before = reader.left;
          try {
            read(reader);
          } catch (error) {
            expect(error).toBeInstanceOf(Refused);
            expect((error as Error).message).toMatch(/^x /);
            return;
          }
          expect(reader.left).toBeLessThan(before);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('that another decoder reads differently, or not at all, are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (input) => {
        const reader = readerOf(input, false);
        let value: unknown;
        try {
          value = input[0]! >> 5 === 2 ? reader.bytes('x', 12) : reader.int64('x');
        } catch {
          return;
        }
        const taken = input.subarray(0, input.length - reader.left);
        const byLibrary: unknown = decode(taken);
        expect(value).toEqual(typeof byLibrary === 'number' ? BigInt(byLibrary) : byLibrary);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['nothing', '', 'x is missing'],
    ['a tag', 'c0', 'x is not a CBOR bytes'],
    ['an end without a beginning', 'ff', 'x is not a CBOR item of a definite length'],
    ['bytes of an indefinite length', '5f', 'x is not a CBOR item of a definite length'],
    ['a head that is cut', '5a0000', 'x is cut short'],
    ['bytes that are cut', '4301', 'x is cut short'],
    ['more bytes than the limit', '4401020304', 'x has 4 bytes; the limit is 3'],
    ['the longest bytes', '5bffffffffffffffff', 'x has 18446744073709551615 bytes; the limit is 3'],
  ])('%s are refused as byte string', (_, digits, message) => {
    expect(() => readerOf(fromHex(digits)).bytes('x', 3)).toThrow(new Refused(message));
  });

  it('with more items than the limit are refused before one is read', () => {
    const read = () => {
      throw new Error('an item was read');
    };
    expect(() => readerOf(fromHex('840000')).list('x', 3, read)).toThrow('x has more than 3 entries');
    expect(() => readerOf(fromHex('bbffffffffffffffff')).map('x', 3)).toThrow('x has more than 3 entries');
  });

  it('that are not UTF-8 are not text', () => {
    expect(() => readerOf(fromHex('62c328')).text('x', 9)).toThrow('x is not UTF-8');
    expect(readerOf(fromHex('63efbbbf')).text('x', 9)).toBe('\uFEFF');
  });
});
