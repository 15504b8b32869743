import { describe, expect, it } from '@jest/globals';
import { parseTokenSecret } from './token-secret.js';

const SECRET = Buffer.alloc(32, 0x5a);
const hex = SECRET.toString('hex');
const entryOf = (secret: Buffer, type = 'jwt-hmac-secret') =>
  JSON.stringify({ Type: type, PrivateKey: secret.toString('base64') });

describe('the secret of tokens', () => {
  it.each([
    ['hex digits with a line break behind them', `${hex}\n`],
    ['upper-case hex digits', hex.toUpperCase()],
    ["an entry of a node's key store", entryOf(SECRET)],
    ['an entry with its names in another letter case', entryOf(SECRET).replace('Type', 'type')],
  ])('is read from %s', (_case, text) => {
    const found = parseTokenSecret(text);
    expect(found?.permissionsClaim).toBe('Allow');
    expect(Buffer.from(found?.secret ?? [])).toEqual(SECRET);
  });

  it.each([
    ['too few hex digits', hex.slice(2)],
    ['an odd number of hex digits', `${hex}0`],
    ['other characters', 'secret'.repeat(20)],
    ['nothing', ''],
    ['an entry that is too short', entryOf(SECRET.subarray(1))],
    ['an entry of another type', entryOf(SECRET, 'secp256k1')],
    ['an entry of two types', entryOf(SECRET).replace('{', '{"type":"jwt-hmac-secret",')],
    ['JSON that is broken', '{"Type":"jwt-hmac-secret",'],
    ['JSON that is nested deeply', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('is not read from %s', (_case, text) => {
    expect(parseTokenSecret(text)).toBeUndefined();
  });
});
