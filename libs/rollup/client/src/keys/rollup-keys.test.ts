import { hkdfSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUP_ORDER, multiplyGenerator } from '@tetrad/rollup-crypto';
import { createRollupKeyFile, openRollupKeyFile } from './rollup-key-file.js';
import { deriveRollupKeys } from './rollup-keys.js';

const SCRYPT_N = 1024;
const secret = Buffer.from('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318', 'hex');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-rollup-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the keys of an account holder', () => {
  it('follow from the secret by HKDF, as OpenSSL computes it', () => {
    const scalar = (info: string) => {
      const bytes = Buffer.from(hkdfSync('sha512', secret, '', info, 64));
      return (BigInt(`0x${bytes.toString('hex')}`) % (GROUP_ORDER - 1n)) + 1n;
    };
    const keys = deriveRollupKeys(secret);
    expect(keys.secretKey).toBe(scalar('tetrad rollup account key'));
    expect(keys.encryptionKey).toBe(scalar('tetrad rollup encryption key'));
    expect(keys.publicKey).toEqual(multiplyGenerator(keys.secretKey));
    expect(keys.encryptionPoint).toEqual(multiplyGenerator(keys.encryptionKey));
  });

  it('include the Ethereum account of the secret', () => {
    // Source: web3.js documentation, web3.eth.accounts.privateKeyToAccount
    expect(deriveRollupKeys(secret).address).toBe('0x2c7536e3605d9c16a7a3d7b1898e529396a65c23');
  });
});

describe('a key file', () => {
  it('gives back its keys for its password, to its owner only, and is never overwritten', async () => {
    const path = join(folder, 'alice');
    const made = await createRollupKeyFile(path, 'right', { scryptN: SCRYPT_N });
    expect(await openRollupKeyFile(path, 'right')).toEqual(made);
    await expect(openRollupKeyFile(path, 'wrong')).rejects.toThrow(`${path}: the password is wrong`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    await expect(createRollupKeyFile(path, 'right', { scryptN: SCRYPT_N })).rejects.toThrow(
      'there is a file of that name',
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('holds nothing of the keys in plain text', async () => {
    const path = join(folder, 'bob');
    const { ethereumKey, secretKey, encryptionKey } = await createRollupKeyFile(path, 'p', {
      scryptN: SCRYPT_N,
    });
    const text = (await readFile(path, 'utf8')).toLowerCase();
    for (const key of [
      Buffer.from(ethereumKey).toString('hex'),
      secretKey.toString(16),
      encryptionKey.toString(16),
    ])
      expect(text).not.toContain(key);
  });
});
