import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, generatePrivateKey, recoverAddress } from '@tetrad/crypto';
import { ZERO_ADDRESS, hexFromBytes } from '@tetrad/types';
import { KeystoreError } from './keystore-error.js';
import { openKeyFile, openKeystoreFolder, readPasswordFile, writeKeyFile } from './keystore.js';

const KEYS = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];
const CHEAP = { password: 'x', scryptN: 1024 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-keys-'));
  for (const [index, privateKey] of KEYS.entries()) {
    await writeKeyFile(folder, { ...CHEAP, privateKey, name: `key-${index}` });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a key file', () => {
  it('is readable by its owner only, contains no plain key, and leaves no other file', async () => {
    expect((await readdir(folder)).sort()).toEqual(['key-0', 'key-1', 'key-2']);
    for (const [index, privateKey] of KEYS.entries()) {
      const path = join(folder, `key-${index}`);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).not.toContain(hexFromBytes(privateKey).slice(2));
    }
  });

  it('is never overwritten', async () => {
    const before = await readFile(join(folder, 'key-0'), 'utf8');
    const again = writeKeyFile(folder, { ...CHEAP, privateKey: generatePrivateKey(), name: 'key-0' });
    await expect(again).rejects.toThrow('key-0: there is a file of that name');
    expect(await readFile(join(folder, 'key-0'), 'utf8')).toBe(before);
    expect(await readdir(folder)).toHaveLength(KEYS.length);
  });

  it('that cannot be written or read is named', async () => {
    const nowhere = writeKeyFile('/nowhere', { ...CHEAP, privateKey: generatePrivateKey(), name: 'key' });
    await expect(nowhere).rejects.toThrow('/nowhere/key: cannot be written (ENOENT)');
    await expect(openKeyFile('/nowhere/key', 'x')).rejects.toThrow('/nowhere/key: cannot be read (ENOENT)');
    await expect(readPasswordFile('/nowhere/p')).rejects.toThrow('/nowhere/p: cannot be read (ENOENT)');
  });
});

describe('a keystore folder', () => {
  it('opens all its files and signs with each', async () => {
    // As a crash in the middle of writing would leave it.
    await writeFile(join(folder, '.key-9.draft'), '{"version":3,');
    const keystore = await openKeystoreFolder(folder, 'x');
    expect(keystore.list()).toEqual(KEYS.map(addressFromPrivateKey).sort());
    const digest = new Uint8Array(32).fill(3);
    for (const address of keystore.list()) {
      expect(keystore.has(address)).toBe(true);
      expect(recoverAddress(digest, await keystore.sign(address, digest))).toBe(address);
    }
  });

  it('signs for no other account, and shows no key when it is printed', async () => {
    const keystore = await openKeystoreFolder(folder, 'x');
    expect(keystore.has(ZERO_ADDRESS)).toBe(false);
    await expect(keystore.sign(ZERO_ADDRESS, new Uint8Array(32))).rejects.toThrow(KeystoreError);
    const { inspect } = await import('node:util');
    const printed = inspect(keystore, { depth: 10, showHidden: true }) + JSON.stringify(keystore);
    for (const key of KEYS) expect(printed).not.toContain(hexFromBytes(key).slice(2, 20));
  });

  it('names the file that cannot be opened', async () => {
    await expect(openKeystoreFolder(folder, 'y')).rejects.toThrow(/key-\d: the password is wrong/);
    await expect(openKeystoreFolder('/nowhere', 'x')).rejects.toThrow('/nowhere: cannot be read (ENOENT)');
  });
});

describe('a password file', () => {
  it.each([
    ['x\nsecond line', 'x'],
    ['x\r\n', 'x'],
    [' spaces stay ', ' spaces stay '],
    ['', ''],
  ])('of %j holds %j', async (content, password) => {
    const path = join(folder, '.password');
    await writeFile(path, content);
    expect(await readPasswordFile(path)).toBe(password);
  });
});
