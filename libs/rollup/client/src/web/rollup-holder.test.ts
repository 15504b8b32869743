import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { deriveRollupKeys } from '../keys/rollup-keys.js';
import { keysOf } from './holder-keys.js';
import { rollupHolder } from './rollup-holder.js';

const secret = new Uint8Array(32).fill(7);
const hex = `0x${'07'.repeat(32)}` as const;

describe('a holder', () => {
  it('has the keys that every client derives from its secret, as text or bytes', () => {
    for (const holder of [rollupHolder(secret), rollupHolder(hex)])
      expect(keysOf(holder)).toEqual(deriveRollupKeys(secret));
  });

  it('keeps its keys to itself, and its own copy of the secret', () => {
    const bytes = secret.slice();
    const holder = rollupHolder(bytes);
    bytes.fill(0);
    expect(keysOf(holder).ethereumKey).toEqual(secret);
    const { secretKey, encryptionKey } = keysOf(holder);
    const shown = inspect(holder, { showHidden: true, depth: 9 }) + JSON.stringify(holder);
    for (const key of ['0707', String(secretKey), secretKey.toString(16), encryptionKey.toString(16)])
      expect(shown).not.toContain(key);
    expect(() => keysOf({ ...holder })).toThrow('holder: must be one that rollupHolder has made');
  });

  it.each([`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, '0x0707', '07'.repeat(32), '0xzz', ''])(
    'is not made of %j, which no error repeats',
    (text) => {
      const make = () => rollupHolder(text as `0x${string}`);
      expect(make).toThrow('secret: must be 32 bytes, a private key of Ethereum');
    },
  );
});
