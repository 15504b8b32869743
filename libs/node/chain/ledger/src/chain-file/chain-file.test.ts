import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChainFile } from './chain-file.js';

const CONTENT = Buffer.alloc(700_000, 'content of a file ');
const COMPRESSED = gzipSync(CONTENT);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-chain-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<ChainFile> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return ChainFile.find(path);
}

async function read(file: ChainFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.content()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a file with blocks', () => {
  it.each([
    ['as it is', CONTENT],
    ['compressed', COMPRESSED],
    [
      'compressed in two members',
      Buffer.concat([gzipSync(CONTENT.subarray(0, 9)), gzipSync(CONTENT.subarray(9))]),
    ],
  ])('is read, %s, with its bytes counted', async (_, bytes) => {
    const file = await fileOf(bytes);
    expect(file.size).toBe(bytes.length);
    expect((await read(file)).equals(CONTENT)).toBe(true);
    expect(file.bytesRead).toBe(bytes.length);
    // A second reading starts over.
    expect((await read(file)).equals(CONTENT)).toBe(true);
    expect(file.bytesRead).toBe(bytes.length);
  });

  it.each([
    ['as it is', CONTENT],
    ['compressed', COMPRESSED],
  ])('%s, counts as done only what was worked on, however much is read ahead', async (_, bytes) => {
    const file = await fileOf(bytes);
    const halves: number[] = [];
    for await (const chunk of file.content()) {
      expect(chunk.length).toBeGreaterThan(0);
      halves.push(file.bytesDone);
    }
    expect(file.bytesRead).toBe(bytes.length);
    expect(new Set(halves)).toEqual(new Set([0]));
    file.markDone(CONTENT.length / 4);
    expect(file.bytesDone).toBe(Math.floor(bytes.length / 4));
    file.markDone(CONTENT.length);
    expect(file.bytesDone).toBe(bytes.length);
  });

  it.each([
    ['is cut off', COMPRESSED.subarray(0, -9), 'is damaged: gzip: unexpected end of file'],
    [
      'has a wrong checksum',
      flip(COMPRESSED, COMPRESSED.length - 6),
      'is damaged: gzip: incorrect data check',
    ],
    ['is followed by text', Buffer.concat([COMPRESSED, Buffer.from('text')]), 'gzip: incorrect header check'],
    [
      'is followed by zeros',
      Buffer.concat([COMPRESSED, Buffer.alloc(7)]),
      'holds 7 bytes after its compressed content',
    ],
    [
      'is followed by zeros and text',
      Buffer.concat([COMPRESSED, Buffer.from([0, 0, 1])]),
      'holds 3 bytes after its compressed content',
    ],
  ])('is refused when compressed data %s', async (_, bytes, text) => {
    await expect(read(await fileOf(bytes))).rejects.toThrow(text);
  });

  it('is refused when it is empty, a folder or missing', async () => {
    await expect(fileOf(new Uint8Array(0))).rejects.toThrow('is empty');
    await mkdir(join(folder, 'folder'));
    await expect(ChainFile.find(join(folder, 'folder'))).rejects.toThrow('is not a file');
    await expect(ChainFile.find(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });

  it('is read no further than its reader wants, so that a huge content is not in memory', async () => {
    const file = await fileOf(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    let [largest, chunks] = [0, 0];
    for await (const chunk of file.content()) {
      largest = Math.max(largest, chunk.length);
      if (++chunks === 3) break;
    }
    expect(largest).toBeLessThanOrEqual(256 * 1024);
  });
});

function flip(bytes: Uint8Array, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
