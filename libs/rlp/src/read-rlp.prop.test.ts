import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { copyOf, readRlp, readRlpItem, readRlpList, RlpError } from './read-rlp.js';
import { encodeRlp, rlpBytes, rlpList, rlpPrefixLength } from './write-rlp.js';

type Tree = Uint8Array | Tree[];

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 5 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('tree'), { maxLength: 6 })),
}));

function readAll(bytes: Uint8Array): Tree[] {
  const items: Tree[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { isList, content, end } = readRlpItem(bytes, offset);
    items.push(isList ? readAll(content) : Uint8Array.from(content));
    offset = end;
  }
  return items;
}

/** Undefined when the bytes are not RLP at any depth. */
function readable(bytes: Uint8Array): Tree[] | undefined {
  try {
    return readAll(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RlpError);
    return undefined;
  }
}

/** As `rlpList` and `rlpBytes` write it. */
const written = (item: Tree): Uint8Array =>
  Array.isArray(item) ? rlpList(item.map(written)) : rlpBytes(item);

describe('RLP', () => {
  it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536, 16_777_215, 16_777_216])(
    'of %i bytes has the prefix that the library writes',
    (length) => {
      const bytes = new Uint8Array(length).fill(0x80);
      const expected = RLP.encode(bytes);
      expect(Buffer.compare(rlpBytes(bytes), expected)).toBe(0);
      expect(rlpPrefixLength(length)).toBe(expected.length - length);
      const list = rlpList([bytes]);
      expect(list[0]).toBe((expected[0] ?? 0) + 0x40);
      expect(Buffer.compare(list.subarray(1), expected.subarray(1))).toBe(0);
    },
  );

  it('is read as the library wrote it, at any depth', () => {
    fc.assert(
      fc.property(tree, (item) => {
        const encoded = RLP.encode(item);
        expect(RLP.encode(readAll(encoded))).toEqual(RLP.encode([item]));
        expect(readRlp(encoded).end).toBe(encoded.length);
      }),
    );
  });

  it('is written as the library writes it', () => {
    fc.assert(
      fc.property(tree, (item) => {
        const encoded = RLP.encode(item);
        expect(Buffer.compare(written(item), encoded)).toBe(0);
        expect(Buffer.compare(encodeRlp(item), encoded)).toBe(0);
        const { isList, content } = readRlp(encoded);
        const isByte = !isList && content.length === 1 && encoded.length === 1;
        expect(isByte ? 0 : rlpPrefixLength(content.length)).toBe(encoded.length - content.length);
      }),
    );
  });

  it('has one form only: what is read from any bytes is written back as those bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 90 }), (bytes) => {
        const items = readable(bytes);
        if (items === undefined) return;
        const back = Buffer.concat(items.map((item) => RLP.encode(item)));
        expect(Buffer.compare(back, bytes)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['nothing', []],
    ['a byte in a longer form', [0x81, 0x05]],
    ['a short length in the long form', [0xb8, 0x02, 1, 2]],
    ['a length with a leading zero', [0xb9, 0x00, 0x40, ...new Array<number>(64).fill(1)]],
    ['a string that runs over the end', [0x83, 1, 2]],
    ['a length that runs over the end', [0xbb, 0xff]],
    ['a length of eight bytes', [0xbf, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['bytes after the item', [0xc0, 0x01]],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => readRlp(Uint8Array.from(bytes))).toThrow(RlpError);
  });

  it.each([
    ['a string', [0x82, 1, 2]],
    ['a list whose item runs over its end', [0xc2, 0x83, 1]],
    ['a list of more items than there may be', [0xc3, 1, 2, 3]],
  ])('is refused as a list of two when it is %s', (_, bytes) => {
    expect(() => readRlpList(readRlp(Uint8Array.from(bytes)), 2)).toThrow(RlpError);
  });

  it('is copied into memory of its own, of a Buffer too', () => {
    const whole = Buffer.from([0x82, 1, 2, 9, 9, 9]);
    const copy = copyOf(readRlpItem(whole, 0).content);
    expect([...copy]).toEqual([1, 2]);
    expect(copy.buffer.byteLength).toBe(2);
  });
});
