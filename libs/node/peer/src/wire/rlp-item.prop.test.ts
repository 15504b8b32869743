import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { isShallowRlp, readRlpItem } from './rlp-item.js';

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

const depthOf = (item: Tree): number => (Array.isArray(item) ? 1 + Math.max(0, ...item.map(depthOf)) : 0);

describe('RLP from peers', () => {
  it('is read as the library wrote it, at any depth', () => {
    fc.assert(
      fc.property(tree, (item) => {
        const encoded = RLP.encode(item);
        expect(RLP.encode(readAll(encoded))).toEqual(RLP.encode([item]));
        expect(isShallowRlp(encoded, depthOf(item))).toBe(true);
        if (depthOf(item) > 0) expect(isShallowRlp(encoded, depthOf(item) - 1)).toBe(false);
      }),
    );
  });

  it('has one form only: what is read from any bytes is written back as those bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 90 }), (bytes) => {
        if (!isShallowRlp(bytes, 16)) return;
        const [item] = readAll(bytes);
        expect(RLP.encode(item as Tree)).toEqual(Uint8Array.from(bytes));
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
    ['a list whose item runs over its end', [0xc2, 0x83, 1]],
    ['bytes after the item', [0xc0, 0x01]],
  ])('is refused when it is %s', (_, bytes) => {
    expect(isShallowRlp(Uint8Array.from(bytes), 16)).toBe(false);
  });
});
