import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { addressFromPrivateKey, generatePrivateKey, recoverAddress } from '@tetrad/crypto';
import { decryptKeyFile, encryptKeyFile } from './key-file.js';
import { openKeyFile, openKeystoreFolder, readPasswordFile, writeKeyFile } from './keystore.js';

const SECRET = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

describe('V3 key files', () => {
  it.each([
    ['PBKDF2', PBKDF2],
    ['scrypt', SCRYPT],
  ])('of %s open as published', async (_kdf, file) => {
    const { privateKey } = await decryptKeyFile(JSON.stringify(file), 'testpassword', 'vector');
    expect(hexFromBytes(privateKey)).toBe(SECRET);
  });

  it('written by us are read by us and by ethers', async () => {
    const { Wallet } = await import('ethers');
    const privateKey = generatePrivateKey();
    const text = await encryptKeyFile(privateKey, 'pass word ü', { scryptN: 1024 });
    expect(hexFromBytes((await decryptKeyFile(text, 'pass word ü', 'ours')).privateKey)).toBe(
      hexFromBytes(privateKey),
    );
    const wallet = await Wallet.fromEncryptedJson(text, 'pass word ü');
    expect(wallet.privateKey).toBe(hexFromBytes(privateKey));
  });

  it('say what is wrong and keep the rest to themselves', async () => {
    const text = (changes: object) => JSON.stringify({ ...PBKDF2, ...changes });
    const refused = async (content: string, password = 'testpassword') =>
      decryptKeyFile(content, password, 'file').then(
        () => 'opened',
        (error: Error) => error.message,
      );
    expect(await refused('{')).toBe('file: the file is not JSON');
    expect(await refused(text({ version: 1 }))).toContain('file: version: ');
    expect(await refused(text({ crypto: { ...PBKDF2.crypto, mac: 'zz' } }))).toBe(
      'file: crypto.mac: must be hex',
    );
    expect(await refused(text({ crypto: { ...PBKDF2.crypto, kdf: 'bcrypt' } }))).toContain(
      'file: crypto.kdf: ',
    );
    expect(await refused(text({ crypto: { ...PBKDF2.crypto, kdfparams: {} } }))).toContain(
      'file: crypto.kdfparams.',
    );
    expect(await refused(text({}), 'wrong')).toBe('file: the password is wrong');
    expect(await refused(text({ address: '00'.repeat(20) }))).toMatch(/^file: the file says address 0x0000/);
    for (const message of [
      await refused(text({}), 'wrong'),
      await refused(text({ address: '00'.repeat(20) })),
    ]) {
      expect(message).not.toContain(SECRET.slice(2));
      expect(message).not.toContain('wrong)');
    }
  });
});

describe('a keystore folder', () => {
  it('opens all its files and signs with each', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-keys-'));
    const keys = [generatePrivateKey(), generatePrivateKey()];
    for (const [index, privateKey] of keys.entries()) {
      const path = await writeKeyFile(folder, {
        privateKey,
        password: 'x',
        name: `key-${index}`,
        scryptN: 1024,
      });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    await writeFile(join(folder, '.password'), 'x\nsecond line');
    const keystore = await openKeystoreFolder(folder, await readPasswordFile(join(folder, '.password')));
    expect(keystore.list()).toEqual(keys.map(addressFromPrivateKey).sort());
    const digest = new Uint8Array(32).fill(3);
    for (const address of keystore.list())
      expect(recoverAddress(digest, keystore.sign(address, digest))).toBe(address);
    expect(await readFile(join(folder, 'key-0'), 'utf8')).not.toContain(
      hexFromBytes(keys[0] as Uint8Array).slice(2),
    );
  });

  it('names the file that cannot be opened', async () => {
    await expect(openKeyFile('/nowhere/key', 'x')).rejects.toThrow('/nowhere/key: cannot be read (ENOENT)');
    await expect(openKeystoreFolder('/nowhere', 'x')).rejects.toThrow('/nowhere: cannot be read (ENOENT)');
  });
});
