import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { managerHome, runCommand } from './running-manager.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-tm-'));
  await writeFile(join(folder, 'password'), 'a password for tests\n', { mode: 0o600 });
  const files = ['--out', join(folder, 'first'), '--password-file', join(folder, 'password')];
  expect(await runCommand(['key', 'new', ...files])).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('commands', () => {
  it('make key files that only their owner reads, and replace none', async () => {
    const file = join(folder, 'first.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const files = ['--out', join(folder, 'first'), '--password-file', join(folder, 'password')];
    const { code, output } = await runCommand(['key', 'new', ...files]);
    expect([code, output]).toEqual([1, expect.stringContaining('first.key: cannot be written (EEXIST)')]);
  });

  it('make a key pair for each name, up to the first that is there', async () => {
    const files = (...names: string[]) => [
      '--out',
      names.map((name) => join(folder, name)).join(),
      '--password-file',
      join(folder, 'password'),
    ];
    const { code, output } = await runCommand(['key', 'new', ...files('one', 'two')]);
    expect(code).toBe(0);
    const keys = await Promise.all(
      ['one', 'two'].map((name) => readFile(join(folder, `${name}.pub`), 'utf8')),
    );
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(output).toContain(`public key   ${key}`);
    expect(await runCommand(['key', 'new', ...files('three', 'first', 'four')])).toEqual({
      code: 1,
      output: expect.stringContaining('first.key: cannot be written (EEXIST)'),
    });
    expect(['three.pub', 'four.pub'].map((name) => existsSync(join(folder, name)))).toEqual([true, false]);
  });

  it('make key files as dear to guess as they are asked to', async () => {
    const costOf = async (name: string) => {
      const file = JSON.parse(await readFile(join(folder, `${name}.key`), 'utf8')) as { data: object };
      return (file.data as { readonly aopts: unknown }).aopts;
    };
    expect(await costOf('first')).toEqual({ variant: 'id', memory: 65_536, iterations: 3, parallelism: 4 });
    const files = ['--out', join(folder, 'cheap'), '--password-file', join(folder, 'password')];
    const cost = ['--kdf-memory', '32', '--kdf-iterations', '1'];
    expect(await runCommand(['key', 'new', ...files, ...cost])).toMatchObject({ code: 0 });
    expect(await costOf('cheap')).toEqual({ variant: 'id', memory: 32, iterations: 1, parallelism: 4 });
    expect(await runCommand(['key', 'new', ...files, '--kdf-memory', '31'])).toEqual({
      code: 2,
      output: expect.stringContaining('--kdf-memory'),
    });
  });

  it.each([
    [['serve'], 2, '--key-files'],
    [['serve', '--key-files', '/nowhere.key'], 1, '/nowhere.key'],
    [['key'], 2, 'unknown command key'],
    [['import', '--key-files', 'x'], 2, 'give one of --from-dump'],
    [['import', '--key-files', 'x', '--from-manager-url', 'http://host'], 2, '--hashes-file'],
    [
      ['import', '--key-files', 'x', '--from-database-url', 'postgres://u:secret@host/t'],
      2,
      '--from-database-url',
    ],
    [['recover', '--key-files', 'x', '--peer-url', 'ftp://host'], 2, '--peer-url'],
  ])('%j ends with code %i and names what is wrong', async (words, code, text) => {
    expect(await runCommand(words)).toEqual({ code, output: expect.stringContaining(text) });
  });

  it.each([
    [{ passwordFile: 'wrong' }, 1, 'first.key: the password is wrong'],
    [{ passwordFile: 'three' }, 2, '--key-password-file: has 3 lines for 1 key files'],
  ])('does not serve with %j', async (files, code, text) => {
    await writeFile(join(folder, 'wrong'), 'another password');
    await writeFile(join(folder, 'three'), 'a\nb\nc');
    const given = { name: 'first', folder, databaseUrl: 'postgres://localhost/none', peer: undefined };
    const home = { ...(await managerHome(given)), passwordFile: join(folder, files.passwordFile) };
    expect(await runCommand(['serve'], home)).toEqual({ code, output: expect.stringContaining(text) });
  });
});
