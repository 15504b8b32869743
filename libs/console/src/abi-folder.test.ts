import { mkdtemp, rm, symlink, writeFile, mkdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AbiFolder } from './abi-folder.js';

let folder: string;
let nowMs = 0;
const clock = { now: () => nowMs };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-abis-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFile(join(folder, name), text);
/** As if it were looked at much later. */
const later = () => (nowMs += 60_000);

describe('the folder of ABI files', () => {
  it('offers ABI files alone, also behind links, in the order of their names', async () => {
    await put('b.json', '[]');
    await put('a.abi', '[1]');
    await put('readme.md', 'no ABI');
    await mkdir(join(folder, 'folder.json'));
    await mkdir(join(folder, '..data'));
    await put('..data/c', '[2]');
    await symlink('..data/c', join(folder, 'c.json'));
    await symlink('nowhere', join(folder, 'd.json'));
    expect(new AbiFolder(folder, clock).current()).toEqual([
      { name: 'a.abi', text: '[1]' },
      { name: 'b.json', text: '[]' },
      { name: 'c.json', text: '[2]' },
    ]);
  });

  it('is read again when it changes', async () => {
    await put('a.json', '[]');
    const abis = new AbiFolder(folder, clock);
    await put('a.json', '[1]');
    await put('b.json', '[]');
    expect(abis.current()).toHaveLength(1);
    later();
    expect(abis.current().map(({ text }) => text)).toEqual(['[1]', '[]']);
    await unlink(join(folder, 'b.json'));
    later();
    expect(abis.current()).toHaveLength(1);
  });

  it('counts as it was while it is away or too large', async () => {
    await put('a.json', '[]');
    const abis = new AbiFolder(folder, clock);
    await put('large.json', 'x'.repeat(4_194_304));
    later();
    expect(abis.current()).toEqual([{ name: 'a.json', text: '[]' }]);
    await rm(folder, { recursive: true });
    later();
    expect(abis.current()).toEqual([{ name: 'a.json', text: '[]' }]);
  });

  it('is refused at the start, by its path, when it cannot be read or is too large', async () => {
    expect(() => new AbiFolder(join(folder, 'none'), clock)).toThrow(
      `--abi-folder: ${join(folder, 'none')} is not a folder that can be read`,
    );
    await Promise.all(Array.from({ length: 201 }, (_, at) => put(`${at}.json`, '[]')));
    expect(() => new AbiFolder(folder, clock)).toThrow('has 201 ABI files of 402 bytes: at most 200');
  });
});
