import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { ethAddressOf } from './address/eth-address.js';
import { formatCoinAddress } from './address/address-text.js';
import { KEY_KINDS, type KeyKind } from './signature/coin-signature.js';
import { signData, verifySignature } from './signature/sign.js';
import fc from 'fast-check';
import { format, inspect } from 'node:util';
import { generateKey, CoinPrivateKey } from './private-key.js';
import { CoinKeyError } from './key-error.js';
import { detectFormat, exportKey, importKey } from './key-file.js';
import { lotusFileName, parseLotusFile, parseLotusFileName } from './lotus-key-store.js';
import { derivationPath, generatePhrase, keyFromPhrase } from './phrase-key.js';

const SECRET = Buffer.from('8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63', 'hex');
const BASE64 = SECRET.toString('base64');
const PHRASE = 'equip will roof matter pink blind book anxiety banner elbow sun young';
/** Beginnings of the secret in the forms that it might be printed in. */
const LEAKS = /8f2a5594|jypVlJ|143,\s*42,\s*85|63be92c6/i;

async function errorOf(work: () => unknown): Promise<CoinKeyError> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(CoinKeyError);
    return error as CoinKeyError;
  }
  throw new Error('was not refused');
}

function printed(value: unknown): string {
  const error = value instanceof Error ? `${value.message} ${value.stack}` : '';
  return [
    error,
    String(value),
    JSON.stringify(value),
    JSON.stringify({ value }),
    inspect(value, { depth: 9, showHidden: true, getters: true }),
    inspect([value], { depth: 9, customInspect: false, showHidden: true }),
    format('%s %o %O %j', value, value, value, value),
  ].join('\n');
}

describe.each(KEY_KINDS)('a %s key', (kind) => {
  it('signs for its address', () => {
    const key = generateKey(kind);
    const signature = key.use((bytes) => signData(kind, bytes, Uint8Array.of(1)));
    expect(verifySignature(key.address(), Uint8Array.of(1), signature)).toBe(true);
    expect(generateKey(kind).address().equals(key.address())).toBe(false);
  });

  it('comes back from each form that it is exported in', () => {
    const key = generateKey(kind);
    const formats = kind === 'bls' ? ['hex-lotus', 'json-lotus'] : ['hex-lotus', 'json-lotus', 'hex-eth'];
    for (const name of formats) {
      const back = importKey(`\n ${exportKey(key, name)} \r\n`, { format: name, kind });
      expect(back.kind).toBe(kind);
      expect(exportKey(back)).toBe(exportKey(key));
    }
  });

  it('never prints', () => {
    const bytes = kind === 'bls' ? Buffer.from(SECRET).fill(0, 31) : SECRET;
    const key = CoinPrivateKey.fromBytes(kind, bytes);
    expect(printed(key)).not.toMatch(LEAKS);
    expect(String(key)).toBe(`[${kind} private key]`);
    expect(Object.keys(key)).toEqual(['kind']);
  });

  it('is zeros once wiped, and lends nothing more', () => {
    const bytes = generateKey(kind).use((lent) => Uint8Array.from(lent));
    const key = CoinPrivateKey.fromBytes(kind, bytes);
    const lent = key.use((own) => own);
    expect(lent).toEqual(bytes);
    key.wipe();
    expect(lent).toEqual(new Uint8Array(32));
    expect(() => key.use(() => 0)).toThrow('the private key was wiped');
    expect(() => key.address()).toThrow(CoinKeyError);
  });

  it('is refused with another length or as no scalar', async () => {
    const short = await errorOf(() => CoinPrivateKey.fromBytes(kind, new Uint8Array(31).fill(1)));
    expect(short.message).toBe('expected 32-byte private key, got 31 bytes');
    const words = kind === 'bls' ? 'bls signature invalid private key' : `${kind} invalid private key`;
    for (const bytes of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
      expect((await errorOf(() => CoinPrivateKey.fromBytes(kind, bytes))).message).toBe(words);
    }
  });
});

describe('a delegated key', () => {
  it('has the Ethereum address of its secp256k1 key', () => {
    const key = CoinPrivateKey.fromBytes('delegated', SECRET);
    expect(ethAddressOf(key.address())).toBe(addressFromPrivateKey(SECRET));
    expect(formatCoinAddress(key.address(), 'main')).toMatch(/^f410f/);
  });
});

describe('key files', () => {
  const info = (changes: object) => JSON.stringify({ Type: 'secp256k1', PrivateKey: BASE64, ...changes });
  const gfc = (sigType: unknown) => JSON.stringify({ KeyInfo: [{ PrivateKey: BASE64, SigType: sigType }] });

  it.each<[string | number, KeyKind]>([
    [1, 'secp256k1'],
    [3, 'delegated'],
    ['secp256k1', 'secp256k1'],
    ['delegated', 'delegated'],
  ])('of type %p are read', (type, kind) => {
    expect(importKey(info({ Type: type }), { format: 'json-lotus' }).kind).toBe(kind);
  });

  it('of the third form are read', () => {
    expect(importKey(gfc(1), { format: 'gfc-json' }).kind).toBe('secp256k1');
    const bls = exportKey(generateKey('bls'), 'json-lotus');
    const { PrivateKey } = JSON.parse(bls) as { PrivateKey: string };
    const text = JSON.stringify({ KeyInfo: [{ PrivateKey, SigType: 2 }] });
    expect(exportKey(importKey(text, { format: 'gfc-json' }), 'json-lotus')).toBe(bls);
  });

  it('of an Ethereum key are read with and without 0x', () => {
    const hex = SECRET.toString('hex');
    expect(importKey(`0x${hex}`, { format: 'hex-eth', kind: 'delegated' }).kind).toBe('delegated');
    expect(importKey(hex, { format: 'hex-eth', kind: 'secp256k1' }).kind).toBe('secp256k1');
  });

  it.each([
    ['json-lotus', { privateKey: BASE64, sigType: 1 }],
    ['json-lotus', { type: 'secp256k1', privateKey: BASE64 }],
    ['json-lotus', { TYPE: 1, PRIVATEKEY: BASE64, note: 'by hand' }],
    ['gfc-json', { keyInfo: [{ privateKey: BASE64, sigType: 1 }] }],
    ['gfc-json', { KEYINFO: [{ PrivateKey: BASE64, sigtype: 1 }] }],
  ] as const)('of Venus and go-filecoin are known as %s, whatever the letter case: %j', (format, content) => {
    const text = JSON.stringify(content);
    expect(detectFormat(` ${text}\n`)).toBe(format);
    const key = importKey(text, { format });
    expect([key.kind, exportKey(key, 'hex-eth')]).toEqual(['secp256k1', `0x${SECRET.toString('hex')}`]);
    const inHex = Buffer.from(text).toString('hex');
    expect(detectFormat(inHex)).toBe('hex-lotus');
    if (format === 'json-lotus') expect(importKey(inHex).kind).toBe('secp256k1');
  });

  it.each([
    ['a name in two letter cases', `{"Type":1,"type":3,"PrivateKey":"${BASE64}"}`],
    ['a name twice', `{"Type":1,"Type":3,"PrivateKey":"${BASE64}"}`],
    ['two types', `{"Type":3,"SigType":1,"PrivateKey":"${BASE64}"}`],
    ['a letter that only Go takes for another', `{"Type":1,"PrivateKey":"${BASE64}","\u212aeyInfo":[]}`],
    ['two keys', `{"Type":1,"PrivateKey":"${BASE64}","privatekey":"${BASE64}"}`],
  ])('of which two programs would read two things are refused: %s', async (_what, text) => {
    const error = await errorOf(() => importKey(text, { format: 'json-lotus' }));
    expect(error.message).toMatch(/must be given once|must not be given both|gives a member twice/);
    expect(printed(error)).not.toMatch(LEAKS);
  });

  it('of bare hex are not taken without their type', async () => {
    const error = await errorOf(() => importKey(SECRET.toString('hex'), { format: 'hex-eth' }));
    expect(error.message).toMatch(/names no key type/);
    expect([detectFormat(SECRET.toString('hex')), detectFormat(`0x${SECRET.toString('hex')}`)]).toEqual([
      'hex-eth',
      'hex-eth',
    ]);
  });

  it.each([
    ['another form', info({}), 'pem'],
    ['another type', info({ Type: 'ed25519' }), 'json-lotus'],
    ['a key for its type', info({ Type: BASE64 }), 'json-lotus'],
    ['a hex key for its type', info({ Type: SECRET.toString('hex') }), 'json-lotus'],
    ['a hardware key', info({ Type: 'secp256k1-ledger' }), 'json-lotus'],
    ['type 4', info({ Type: 4 }), 'json-lotus'],
    ['no type', info({ Type: undefined }), 'json-lotus'],
    ['no key', info({ PrivateKey: undefined }), 'json-lotus'],
    ['a key that is not text', info({ PrivateKey: [...SECRET] }), 'json-lotus'],
    ['a key that is not base64', info({ PrivateKey: `${BASE64}!` }), 'json-lotus'],
    ['a key without padding', info({ PrivateKey: BASE64.replace('=', '') }), 'json-lotus'],
    ['a short key', info({ PrivateKey: SECRET.subarray(1).toString('base64') }), 'json-lotus'],
    ['broken JSON', info({}).slice(0, -1), 'json-lotus'],
    ['JSON of something else', JSON.stringify([BASE64]), 'json-lotus'],
    ['no hex', info({}), 'hex-lotus'],
    ['hex of broken JSON', Buffer.from(info({}).slice(1)).toString('hex'), 'hex-lotus'],
    ['an odd number of digits', SECRET.toString('hex').slice(1), 'hex-eth'],
    ['a long hex key', `${SECRET.toString('hex')}00`, 'hex-eth'],
    ['signature type 3', gfc(3), 'gfc-json'],
    ['signature type 9', gfc(9), 'gfc-json'],
    ['two keys', JSON.stringify({ KeyInfo: [JSON.parse(gfc(1)), 1] }), 'gfc-json'],
    ['a long file', info({}).padEnd(5000, 'x'), 'json-lotus'],
  ])('are refused with %s, and the error shows nothing of the key', async (_what, text, name) => {
    expect(printed(await errorOf(() => importKey(text, { format: name })))).not.toMatch(LEAKS);
  });

  it.each([
    [info({}), 'pem', 'unrecognized format: pem'],
    [info({ Type: 'ed25519' }), 'json-lotus', 'unsupported key type: ed25519'],
    [gfc(9), 'gfc-json', 'unknown sig type: 9'],
    [
      info({ PrivateKey: SECRET.subarray(1).toString('base64') }),
      'json-lotus',
      'expected 32-byte private key, got 31 bytes',
    ],
    [
      info({ Type: 'bls', PrivateKey: Buffer.alloc(32, 255).toString('base64') }),
      'json-lotus',
      'bls signature invalid private key',
    ],
  ])('are refused with the text of the field: %#', async (text, name, message) => {
    expect((await errorOf(() => importKey(text, { format: name }))).message).toBe(message);
  });

  it('do not hold a bls key in Ethereum’s form', async () => {
    const error = await errorOf(() => importKey(SECRET.toString('hex'), { format: 'hex-eth', kind: 'bls' }));
    expect(error.message).toBe('unsupported key type: bls');
    expect(printed(error)).not.toMatch(LEAKS);
  });

  it('are not written in an unknown form, nor a bls key in Ethereum’s', async () => {
    const key = generateKey('bls');
    expect((await errorOf(() => exportKey(key, 'pem'))).message).toBe('unrecognized format: pem');
    expect((await errorOf(() => exportKey(key, 'hex-eth'))).message).toBe('unsupported key type: bls');
  });

  it('never crash the reader, whatever they hold', () => {
    const formats = fc.constantFrom('hex-lotus', 'json-lotus', 'gfc-json', 'hex-eth');
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => Buffer.from(json).toString('hex')),
    );
    fc.assert(
      fc.property(texts, formats, (text, name) => {
        try {
          importKey(text, { format: name });
        } catch (error) {
          expect(error).toBeInstanceOf(CoinKeyError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('phrases', () => {
  const at = (changes: object) =>
    keyFromPhrase({ kind: 'secp256k1', phrase: PHRASE, path: "m/44'/461'/0'/0/0", ...changes });

  it('give other keys at other paths, networks and with a passphrase, and the same one again', async () => {
    const keys = await Promise.all([
      at({}),
      at({ path: derivationPath('secp256k1', 'test', 0) }),
      at({ path: derivationPath('secp256k1', 'main', 1) }),
      at({ path: "m/44'/461'/0/0/0" }),
      at({ passphrase: 'word' }),
      at({ kind: 'delegated', path: derivationPath('delegated', 'main', 0) }),
    ]);
    expect(new Set(keys.map((key) => exportKey(key, 'hex-eth'))).size).toBe(keys.length);
    const again = await at({ phrase: ` ${PHRASE.toUpperCase().replaceAll(' ', '\n ')} ` });
    expect(exportKey(again)).toBe(exportKey(keys[0]));
  });

  it('are where other wallets look for them', () => {
    expect(derivationPath('secp256k1', 'main', 7)).toBe("m/44'/461'/0'/0/7");
    expect(derivationPath('secp256k1', 'test', 7)).toBe("m/44'/1'/0'/0/7");
    expect(derivationPath('delegated', 'test', 7)).toBe("m/44'/60'/0'/0/7");
  });

  it('are made new with 24 words and a checksum', async () => {
    const phrase = generatePhrase();
    expect(phrase.split(' ')).toHaveLength(24);
    expect(generatePhrase()).not.toBe(phrase);
    await at({ phrase });
  });

  it.each([
    [{ phrase: PHRASE.replace('young', 'equip') }, 'INVALID_PHRASE'],
    [{ phrase: PHRASE.replace('young', 'yung') }, 'INVALID_PHRASE'],
    [{ phrase: PHRASE.split(' ').slice(0, 11).join(' ') }, 'INVALID_PHRASE'],
    [{ phrase: '' }, 'INVALID_PHRASE'],
    [{ path: '' }, 'INVALID_PATH'],
    [{ path: 'm' }, 'INVALID_PATH'],
    [{ path: "44'/461'/0'/0/0" }, 'INVALID_PATH'],
    [{ path: "m/44'/461'/0'/0/-1" }, 'INVALID_PATH'],
    [{ path: "m/44'/461'/0'/0/2147483648" }, 'INVALID_PATH'],
    [{ path: `m${'/0'.repeat(11)}` }, 'INVALID_PATH'],
    [{ kind: 'bls' }, 'NOT_DERIVABLE'],
  ])('are refused: %#', async (changes, reason) => {
    const error = await errorOf(() => at(changes));
    expect(error.code).toBe(reason);
    expect(printed(error)).not.toMatch(/roof|matter|pink/i);
  });

  it.each([-1, 1.5, 2 ** 31, Number.NaN])('have no key number %p', async (index) => {
    expect((await errorOf(() => derivationPath('secp256k1', 'main', index))).code).toBe('INVALID_PATH');
  });
});

describe('the key store of lotus', () => {
  const address = 'f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba';
  const text = JSON.stringify({ Type: 'secp256k1', PrivateKey: BASE64 });

  it('identifies its entries by their file names', () => {
    expect(parseLotusFileName(lotusFileName(`wallet-${address}`))).toMatchObject({ what: 'wallet', address });
    expect(parseLotusFileName(lotusFileName(`trash-${address}`))).toMatchObject({ what: 'trash', address });
    expect(parseLotusFileName(lotusFileName('default'))).toEqual({ what: 'default', name: 'default' });
    expect(parseLotusFileName(lotusFileName('auth-jwt-private'))?.what).toBe('other');
    expect(parseLotusFileName(lotusFileName('wallet-../../etc'))?.what).toBe('other');
    for (const name of ['.DS_Store', 'lower', 'A', '']) {
      expect(parseLotusFileName(name)?.what).not.toBe('wallet');
    }
  });

  it('is read when only its owner may read it', () => {
    expect(parseLotusFile('default', 0o100600, text).kind).toBe('secp256k1');
  });

  it.each([
    [0o100644, '0644'],
    [0o100660, '0660'],
    [0o100400, '0400'],
    [0o100700, '0700'],
  ])('is refused with mode %p', async (mode, shown) => {
    const error = await errorOf(() => parseLotusFile('default', mode, text));
    expect(error.message).toBe(
      `permissions of key: 'default' are too relaxed, required: 0600, got: ${shown}`,
    );
  });
});
