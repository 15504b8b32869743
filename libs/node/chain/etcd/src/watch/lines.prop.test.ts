import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOf } from './lines.js';

async function* cut(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield text.subarray(at, at + size);
    at += size;
  }
}

async function read(text: string, sizes: readonly number[], maxBytes = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(cut(Buffer.from(text), sizes), maxBytes, 'etcd')) lines.push(`${line}`);
  return lines;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
const line = fc.string({ maxLength: 20, unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));

describe('lines of a stream', () => {
  it('are the same however the bytes arrive; half a line is dropped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line), line, sizes, async (lines, half, pieces) => {
        const text = lines.map((one) => `${one}\n`).join('') + half;
        expect(await read(text, pieces, 1_000)).toEqual(lines.filter((one) => one !== ''));
      }),
    );
  });

  it('are refused beyond the bound, wherever the bytes are cut, and accepted up to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.boolean(), sizes, async (length, ends, pieces) => {
        const text = `ok\n${'x'.repeat(length)}${ends ? '\n' : ''}`;
        const reading = read(text, pieces, 20);
        if (length > 20) await expect(reading).rejects.toMatchObject({ kind: 'too-large' });
        else expect(await reading).toHaveLength(ends ? 2 : 1);
      }),
    );
  });
});
