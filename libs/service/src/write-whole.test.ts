import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeWhole } from './write-whole.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-whole-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a file that is written whole', () => {
  it('takes the place of the one before, and leaves nothing beside it', async () => {
    const path = join(folder, 'file');
    await writeWhole(path, 'first');
    await writeWhole(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('can be read by whom its mode says, also where a draft was left that others can read', async () => {
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
