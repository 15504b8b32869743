import { describe, expect, it } from '@jest/globals';
import { encodeRlp } from '@tetrad/rlp';
import fc from 'fast-check';
import { ChainFileError } from './chain-file-error.js';
import { MAX_BLOCK_BYTES, splitBlocks, type EncodedBlock } from './split-blocks.js';

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [from, turn] = [0, 0]; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function split(bytes: Uint8Array, sizes: readonly number[] = [1_000]): Promise<EncodedBlock[]> {
  const blocks: EncodedBlock[] = [];
  for await (const block of splitBlocks(pieces(bytes, sizes), 'blocks.rlp')) blocks.push(block);
  return blocks;
}

const lists = fc.array(
  fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 4 }).map((items) => encodeRlp(items)),
  { maxLength: 12 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 });

describe('the blocks of a file', () => {
  it('are its lists with their offsets, whatever the pieces in which it is read', async () => {
    await fc.assert(
      fc.asyncProperty(lists, sizes, async (items, cuts) => {
        const blocks = await split(Buffer.concat(items), cuts);
        expect(blocks.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
          items.map((item) => Buffer.from(item).toString('hex')),
        );
        let offset = 0;
        for (const block of blocks) {
          expect(block.offset).toBe(offset);
          offset += block.bytes.length;
        }
      }),
    );
  });

  it('are read up to the one that is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(lists, sizes, fc.nat(), async (items, cuts, at) => {
        const whole = Buffer.concat(items);
        const cut = whole.subarray(0, at % (whole.length + 1));
        const read: EncodedBlock[] = [];
        const reading = (async () => {
          for await (const block of splitBlocks(pieces(cut, cuts), 'blocks.rlp')) read.push(block);
        })();
        const bytesOf = () => read.reduce((sum, { bytes }) => sum + bytes.length, 0);
        await reading.catch((error: unknown) => {
          expect(error).toBeInstanceOf(ChainFileError);
          expect(bytesOf()).toBeLessThan(cut.length);
        });
        if (bytesOf() === cut.length) await reading;
      }),
    );
  });

  it.each([
    ['a byte that begins no list', [0xc0, 0x00], 'no block begins at byte 1 of the content'],
    ['a string', [0xc0, 0x83, 1, 2, 3], 'no block begins at byte 1 of the content'],
    [
      'an end within a list',
      [0xc0, 0xc2, 0x01],
      'ends within a block, after 2 of its bytes; the block begins at byte 1',
    ],
    [
      'an end within a length',
      [0xf9, 0x01],
      'ends within a block, after 2 of its bytes; the block begins at byte 0',
    ],
    ['a length of five bytes', [0xfc, 1, 0, 0, 0, 0], `longer than ${MAX_BLOCK_BYTES} bytes`],
    ['a length beyond the limit', [0xfb, 0x04, 0, 0, 1], `longer than ${MAX_BLOCK_BYTES} bytes`],
  ])('end with an error at %s', async (_, bytes, text) => {
    await expect(split(Uint8Array.from(bytes), [1])).rejects.toThrow(text);
  });
});
