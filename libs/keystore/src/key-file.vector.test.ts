import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { generatePrivateKey } from '@tetrad/crypto';
import { decryptKeyFile, encryptKeyFile } from './key-file.js';
import { KeystoreError } from './keystore-error.js';

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

const SHORT_SECRET = '0x000081c29e8142bb6a81bef5a92bda7a8328a5c85bb2f9542e76f9b0f94fc018';
const SHORT = {
  version: 3,
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '3ca92af36ad7c2cd92454c59cea5ef00' },
    ciphertext: '108b7d34f3442fc26ab1ab90ca91476ba6bfa8c00975a49ef9051dc675aa',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 2,
      r: 8,
      p: 1,
      salt: 'd0769e608fb86cda848065642a9c6fa046845c928175662b8e356c77f914cd3b',
    },
    mac: '75d0e6759f7b3cefa319c3be41680ab6beea7d8328653474bd06706d4cc67420',
  },
};
const BENEFACTOR = readFileSync(new URL('../vectors/rich-benefactor-one.json', import.meta.url), 'utf8');

describe('V3 key files', () => {
  it.each([
    ['PBKDF2', PBKDF2],
    ['scrypt', SCRYPT],
  ])('of %s open as published', async (_kdf, file) => {
    const { privateKey } = await decryptKeyFile(JSON.stringify(file), 'testpassword', 'vector');
    expect(hexFromBytes(privateKey)).toBe(SECRET);
  });

  it('with names in capitals open, as in geth', async () => {
    const capitals = JSON.parse(JSON.stringify(PBKDF2).replace(/"([a-z]+)":/g, (name) => name.toUpperCase()));
    const { privateKey } = await decryptKeyFile(JSON.stringify(capitals), 'testpassword', 'vector');
    expect(hexFromBytes(privateKey)).toBe(SECRET);
  });

  const derivedLonger = (file: typeof PBKDF2 | typeof SHORT, dklen: unknown) => ({
    ...file,
    crypto: { ...file.crypto, kdfparams: { ...file.crypto.kdfparams, dklen } },
  });
  const quoted = (file: unknown) => JSON.stringify(file).replace(/:(\d+)(?=[,}])/g, ':"$1"');

  // web3j reads all of them.
  it.each([
    ['a null address', JSON.stringify({ ...PBKDF2, address: null })],
    ['an empty address', JSON.stringify({ ...PBKDF2, address: '' })],
    ['a byte order mark', `\uFEFF${JSON.stringify(PBKDF2)}`],
    ['numbers in quotes (PBKDF2)', quoted(PBKDF2)],
    ['numbers in quotes (scrypt)', quoted(SHORT)],
    ['64 derived bytes (PBKDF2)', JSON.stringify(derivedLonger(PBKDF2, 64))],
    ['64 derived bytes (scrypt)', JSON.stringify(derivedLonger(SHORT, '64'))],
  ])('with %s open', async (_, content) => {
    const isShort = content.includes(SHORT.crypto.mac);
    const { privateKey } = await decryptKeyFile(content, isShort ? 'foo' : 'testpassword', 'vector');
    expect(hexFromBytes(privateKey)).toBe(isShort ? SHORT_SECRET : SECRET);
  });

  it('of the reference signing proxy, with the usual cost of scrypt, open as published', async () => {
    const opened = await decryptKeyFile(BENEFACTOR, 'pass', 'vector');
    expect(hexFromBytes(opened.privateKey)).toBe(
      '0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63',
    );
    expect(opened.address).toBe('0xfe3b557e8fb62b89f4916b721be55ceb828dbd73');
  });

  it('with a key that lost its leading zeros open as published', async () => {
    const { privateKey } = await decryptKeyFile(JSON.stringify(SHORT), 'foo', 'vector');
    expect(hexFromBytes(privateKey)).toBe(SHORT_SECRET);
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

  const text = (changes: object) => JSON.stringify({ ...PBKDF2, ...changes });
  const inside = (changes: object) => text({ crypto: { ...PBKDF2.crypto, ...changes } });
  const scrypt = (changes: object) =>
    JSON.stringify({
      ...SCRYPT,
      crypto: { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, ...changes } },
    });

  it.each([
    ['no JSON', '{', 'file: the file is not JSON'],
    ['no object', '[]', 'file: Invalid input: expected object'],
    ['a section twice', text({ Crypto: PBKDF2.crypto }), 'file: crypto: is given twice, in two letter cases'],
    ['another version', text({ version: 1 }), 'file: version: '],
    ['no crypto', JSON.stringify({ version: 3 }), 'file: crypto: '],
    ['a mac that is not hex', inside({ mac: 'zz' }), 'file: crypto.mac: must be hex'],
    ['a short mac', inside({ mac: '00' }), 'file: crypto.mac: must have 32 bytes'],
    [
      'a short iv',
      inside({ cipherparams: { iv: '00' } }),
      'file: crypto.cipherparams.iv: must have 16 bytes',
    ],
    [
      'a long ciphertext',
      inside({ ciphertext: '00'.repeat(33) }),
      'file: crypto.ciphertext: must have 1 to 32',
    ],
    ['another cipher', inside({ cipher: 'aes-128-cbc' }), 'file: crypto.cipher: '],
    ['another key derivation', inside({ kdf: 'bcrypt' }), 'file: crypto.kdf: '],
    [
      'fewer derived bytes than are used',
      scrypt({ dklen: 16 }),
      'file: crypto.kdfparams.dklen: must be from 32 to 1024',
    ],
    ['a text in place of a number', scrypt({ r: '0x8' }), 'file: crypto.kdfparams.r: must be a whole number'],
    ['an invalid address', text({ address: '12' }), 'file: address: '],
    ['no parameters', inside({ kdfparams: {} }), 'file: crypto.kdfparams.'],
    [
      'another hash of PBKDF2',
      inside({ kdfparams: { ...PBKDF2.crypto.kdfparams, prf: 'hmac-sha512' } }),
      'file: crypto.kdfparams.prf: ',
    ],
    ['an odd cost of scrypt', scrypt({ n: 1000 }), 'file: crypto.kdfparams.n: must be a power of two'],
    ['a cost of scrypt beyond this host', scrypt({ n: 2 ** 22, r: 64 }), 'need too much memory'],
    ['the address of another key', text({ address: '00'.repeat(20) }), 'file: the file says address 0x0000'],
  ])('are refused with %s', async (_what, content, message) => {
    const error = (await decryptKeyFile(content, 'testpassword', 'file').catch((e: unknown) => e)) as Error;
    expect(error).toBeInstanceOf(KeystoreError);
    expect(error.message).toContain(message);
    expect(`${error.message} ${error.stack}`).not.toMatch(new RegExp(`${SECRET.slice(2)}|testpassword`));
  });

  it.each(['wrong', '', 'testpassword '])(
    'are refused with the password %j, which is not repeated',
    async (word) => {
      const error = (await decryptKeyFile(text({}), word, 'file').catch((e: unknown) => e)) as Error;
      expect(error).toBeInstanceOf(KeystoreError);
      expect(error.message).toBe('file: the password is wrong');
    },
  );
});
