import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '@tetrad/types';
import { recorded } from '../../test/recorded.js';
import { decryptKeyFile, encryptKeyFile } from './key-file.js';
import { InvalidPublicKeyError, generateKeyPair, keyFromBytes, sharedSecret } from './key-pair.js';

const CHEAP = { memory: 64, iterations: 1, parallelism: 4 };
const bytes = Buffer.from(recorded.keys['a1']!.private, 'base64');

describe('key files', () => {
  it('an encrypted key opens with its password only', async () => {
    const file = await encryptKeyFile(bytes, 'secret', CHEAP);
    expect(file).not.toContain(recorded.keys['a1']!.private);
    expect(Buffer.from(await decryptKeyFile(file, 'node.key', 'secret'))).toEqual(bytes);
    await expect(decryptKeyFile(file, 'node.key', 'other')).rejects.toThrow(
      'node.key: the password is wrong',
    );
    await expect(decryptKeyFile(file, 'node.key')).rejects.toThrow(
      'node.key: the key is encrypted and has no password',
    );
  });

  it('a key of existing managers that is not encrypted is read', async () => {
    const file = JSON.stringify({ type: 'unlocked', data: { bytes: recorded.keys['a1']!.private } });
    expect(Buffer.from(await decryptKeyFile(file, 'node.key'))).toEqual(bytes);
    expect(Buffer.from(await decryptKeyFile(`\uFEFF${file}`, 'node.key'))).toEqual(bytes);
  });

  it.each([
    ['{', 'node.key is not a JSON object'],
    ['[]', 'node.key: data is not a JSON object'],
    ['{"type":"vault","data":{}}', 'node.key: type must be "argon2sbox" or "unlocked"'],
    ['{"type":"unlocked","data":{"bytes":"AAAA"}}', 'node.key: bytes has 3 bytes, not 32'],
    ['{"type":"unlocked","data":{"bytes":"@"}}', 'node.key: bytes is not base64'],
  ])('%s is refused: %s', async (file, text) => {
    await expect(decryptKeyFile(file, 'node.key', 'secret')).rejects.toThrow(text);
    await expect(decryptKeyFile(file, 'node.key', 'secret')).rejects.toBeInstanceOf(OperatorError);
  });

  it.each([
    ['memory', 1e9],
    ['iterations', 1e6],
    ['parallelism', 1e6],
    ['memory', '64'],
  ])('a cost that no host could pay is refused: %s %s', async (member, value) => {
    const file = JSON.parse(await encryptKeyFile(bytes, 'secret', CHEAP)) as { data: { aopts: object } };
    file.data.aopts = { ...file.data.aopts, [member]: value };
    await expect(decryptKeyFile(JSON.stringify(file), 'node.key', 'secret')).rejects.toThrow(
      `aopts.${member} must be`,
    );
  });
});

describe('key pairs', () => {
  it('two parties share a secret', () => {
    const [a, b] = [generateKeyPair(), generateKeyPair()];
    expect(sharedSecret(a.privateKey, b.publicKey)).toEqual(sharedSecret(b.privateKey, a.publicKey));
  });

  it('a point of low order, whose shared secret is public, is refused', () => {
    const zero = keyFromBytes(Buffer.alloc(32));
    expect(() => sharedSecret(generateKeyPair().privateKey, zero)).toThrow(InvalidPublicKeyError);
  });
});
