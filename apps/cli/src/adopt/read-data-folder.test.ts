import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readText } from './read-data-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-adopt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file of the node that is adopted', () => {
  it('is read when it is there', async () => {
    writeFileSync(join(folder, 'genesis.json'), '{}');
    expect(await readText(join(folder, 'genesis.json'))).toBe('{}');
    expect(await readText(join(folder, 'absent.json'))).toBeUndefined();
  });

  it('is refused when it is a device or a folder', async () => {
    for (const path of ['/dev/zero', folder])
      await expect(readText(path)).rejects.toThrow(`${path}: is not a regular file`);
  });

  it('is refused by name when it is UTF-16', async () => {
    const path = join(folder, 'genesis.json');
    writeFileSync(path, '\ufeff{}', 'utf16le');
    await expect(readText(path)).rejects.toThrow(`${path}: is written in UTF-16`);
  });
});
