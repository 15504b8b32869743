import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeNewWhole, writeWhole } from './whole-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-whole-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a file that is written whole', () => {
  it('replaces the previous one, and leaves no other file', async () => {
    const path = join(folder, 'file');
    await writeWhole(path, 'first');
    await writeWhole(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('has the permissions of its mode, also over a draft with wider permissions', async () => {
    const path = join(folder, 'secret');
    await writeFile(`${path}.tmp`, 'a draft that is longer than the file', { mode: 0o644 });
    await writeWhole(path, 'key', 0o600);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe('key');
  });

  it('cannot be written where there is no folder', async () => {
    await expect(writeWhole(join(folder, 'none/file'), '')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a new file that is written whole', () => {
  it('is readable by its owner only, and never replaces another', async () => {
    const own = join(folder, 'own');
    await mkdir(own);
    await writeNewWhole(join(own, 'file'), 'first');
    const again = writeNewWhole(join(own, 'file'), 'second');
    await expect(again).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(own, 'file'), 'utf8')).toBe('first');
    expect((await stat(join(own, 'file'))).mode & 0o777).toBe(0o600);
    expect(await readdir(own)).toEqual(['file']);
  });

  it('is written once, however many write it at a time', async () => {
    const path = join(folder, 'contended');
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(1_000));
    const written = await Promise.allSettled(texts.map((text) => writeNewWhole(path, text)));
    const winners = texts.filter((_, index) => written[index]?.status === 'fulfilled');
    expect(winners).toEqual([await readFile(path, 'utf8')]);
  });

  it('cannot be written where there is no folder', async () => {
    await expect(writeNewWhole(join(folder, 'none/file'), '')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
