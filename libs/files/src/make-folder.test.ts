import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeFolder } from './make-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-make-folder-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const onLinux = existsSync('/proc/self') ? it : it.skip;

describe('a folder that is made', () => {
  it('gets its parents and its permissions, and may exist', async () => {
    for (let times = 0; times < 2; times += 1) await makeFolder(join(folder, 'a/b/c'), 0o700);
    expect((await stat(join(folder, 'a/b'))).mode & 0o777).toBe(0o700);
    await makeFolder('/');
  });

  it('cannot be made of a file, or in one', async () => {
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file/a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  onLinux('cannot be made where the system has no place for it, which is said at once', async () => {
    await expect(makeFolder('/proc/tetrad/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
