import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OperatorError } from '@tetrad/types';
import { makeDataFolder } from './data-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-data-folder-'));
  await writeFile(join(folder, 'file'), 'mine');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a data folder is created with its parents, and an existing one is left unchanged', async () => {
  for (let times = 0; times < 2; times += 1) await makeDataFolder(join(folder, 'a/b'));
  expect((await stat(join(folder, 'a/b'))).isDirectory()).toBe(true);
});

it.each(['file', 'file/below'])('a data folder that is %s is refused with a clear message', async (name) => {
  const path = join(folder, name);
  const making = makeDataFolder(path);
  await expect(making).rejects.toThrow(OperatorError);
  await expect(making).rejects.toThrow(`data folder ${path}: it is a file, or in one`);
});
