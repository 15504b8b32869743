import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openKeyFile } from '@tetrad/keystore';
import { runSigner } from '../signer-process.js';
import { startSigner } from '../running-signer.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-commands-'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...words: string[]) => runSigner(words, {}, folder).ended;

describe('signer audit verify', () => {
  it.each([
    ['the default folder', []],
    ['a folder of one’s own', ['--data-dir', 'nowhere']],
  ])('fails without data in %s, says where it looked, and makes nothing', async (_where, flags) => {
    const { code, stdout, stderr } = await run('audit', 'verify', ...flags);
    const looked = join(folder, flags[1] ?? '.tetrad/signer');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`no database in ${looked}; name the folder`);
    expect(existsSync(looked)).toBe(false);
  });
});

describe('signer keys doctor', () => {
  it('ends with 0 when all keys sign, and with 1 when one does not', async () => {
    const words = ['keys', 'doctor', '--raw-signer-key-file', 'raw'];
    expect(await run(...words)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^PROBLEM +raw-key: /),
    });
    await writeFile(join(folder, 'raw'), '11'.repeat(32), { mode: 0o600 });
    expect(await run(...words)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok +raw-key: 0x[0-9a-f]{40} signs$/m),
    });
  });
});

describe('signer key new', () => {
  it('makes a key with which a signer starts', async () => {
    const { code, stdout } = await run('key', 'new', '--directory', 'keys');
    expect(code).toBe(0);
    const [, address = ''] = /^address +(0x[0-9a-f]{40})$/m.exec(stdout) ?? [];
    const keyFlags = /^start with +(.*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    const started = await startSigner({ downstreamPort: 9, keyFlags });
    expect((await started.call('eth_accounts')).result).toEqual([address]);
    await started.stop();
    for (const name of await readdir(join(folder, 'keys')))
      expect((await stat(join(folder, 'keys', name))).mode & 0o077).toBe(0);
  });

  it('takes a password, and writes a signer file', async () => {
    await writeFile(join(folder, 'password'), 'of mine\n');
    const words = ['--directory', 'keys', '--password-file', 'password', '--signer-file'];
    const { code } = await run('key', 'new', ...words);
    expect(code).toBe(0);
    const names = (await readdir(join(folder, 'keys'))).sort();
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{40}\.json$/), expect.stringMatching(/\.toml$/)]);
    const { address } = await openKeyFile(join(folder, 'keys', names[0] ?? ''), 'of mine');
    expect(names[1]).toBe(`${address.slice(2)}.toml`);
    expect(await readFile(join(folder, 'keys', names[1] ?? ''), 'utf8')).toContain(
      `password-file = "${join(folder, 'password')}"`,
    );
    const keyFlags = ['multikey-signer', '--directory', join(folder, 'keys')];
    const started = await startSigner({ downstreamPort: 9, keyFlags });
    // Waits for the key.
    expect((await started.call('eth_sign', [address, 'x'])).result).toMatch(/^0x/);
    await started.stop();
  });

  it.each([
    [['--directory', 'keys', '--password-file', 'none'], '--password-file: cannot read'],
    [[], 'Missing required option(s): --directory'],
  ])('fails with %j', async (words, problem) => {
    const { code, stderr } = await run('key', 'new', ...words);
    expect(code).not.toBe(0);
    expect(stderr).toContain(problem);
  });

  it.each(['audit', 'key', 'keys'])('is among what signer %s says on being asked', async (word) => {
    expect(await run(word, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`signer ${word} `),
    });
    expect(await run(word)).toMatchObject({ code: 2, stderr: expect.stringContaining(`signer ${word} `) });
    expect((await run(word, '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
