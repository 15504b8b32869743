import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesFromText, textFromBytes } from './contract-text.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
/** Mostly UTF-8, with bytes in between that are not. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text, 'utf8')),
      fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)),
      fc
        .constantFrom('eda080', 'c0af', 'f4908080', 'e282', 'efbbbf', '00')
        .map((hex) => Buffer.from(hex, 'hex')),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts));

describe('a text of the contracts', () => {
  it('is its UTF-8, in every script, with a byte order mark as a part of it', () => {
    for (const text of ['', 'BANK', 'é', 'é', '銀行', 'שלום', '\u200bBANK', '\ufeffBANK', '🏦', '\0'])
      expect(textFromBytes(Buffer.from(text, 'utf8'))).toBe(text);
  });

  it('has a lone surrogate for each byte that is not of UTF-8', () => {
    expect(textFromBytes(bytes(0x41, 0xff, 0x42))).toBe('A\udcffB');
    // An encoded surrogate, an overlong slash, a code point beyond the last one, a sequence that is cut.
    expect(textFromBytes(bytes(0xed, 0xa0, 0x80))).toBe('\udced\udca0\udc80');
    expect(textFromBytes(bytes(0xc0, 0xaf))).toBe('\udcc0\udcaf');
    expect(textFromBytes(bytes(0xf4, 0x90, 0x80, 0x80))).toBe('\udcf4\udc90\udc80\udc80');
    expect(textFromBytes(bytes(0xe2, 0x82))).toBe('\udce2\udc82');
  });

  it('stands for exactly its bytes', () => {
    fc.assert(
      fc.property(anyBytes, (some) => {
        expect(Buffer.from(bytesFromText(textFromBytes(some)))).toEqual(some);
      }),
    );
  });

  it('is none with other lone surrogates, or with escaped bytes that are UTF-8', () => {
    for (const text of ['\ud800', 'A\udc41', '\udcc3\udca9'])
      expect(() => bytesFromText(text)).toThrow('not one that contracts can hold');
  });

  it('may be long, and begin a character with every byte that does not go on', () => {
    const hostile = Buffer.alloc(100_000, 0xf0);
    expect(textFromBytes(hostile)).toBe('\udcf0'.repeat(hostile.length));
  });
});
