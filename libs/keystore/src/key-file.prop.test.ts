import { describe, expect, it } from '@jest/globals';
import { isPrivateKey } from '@tetrad/crypto';
import fc from 'fast-check';
import { decryptKeyFile, encryptKeyFile } from './key-file.js';
import { KeystoreError } from './keystore-error.js';

const privateKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);
const password = fc.string({ unit: 'grapheme', maxLength: 40 });

describe('key files', () => {
  it('give back any key under its password', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, password, async (key, word) => {
        const text = await encryptKeyFile(key, word, { scryptN: 2 });
        expect((await decryptKeyFile(text, word, 'file')).privateKey).toEqual(key);
      }),
    );
  });

  it('with one character changed give back the same key or are refused, never another key', async () => {
    const key = new Uint8Array(32).fill(7);
    const text = await encryptKeyFile(key, 'x', { scryptN: 2 });
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...'0f{"}: x'), async (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        try {
          expect((await decryptKeyFile(changed, 'x', 'file')).privateKey).toEqual(key);
        } catch (error) {
          expect(error).toBeInstanceOf(KeystoreError);
          expect((error as Error).message).toMatch(/^file: /);
        }
      }),
      { numRuns: 400 },
    );
  });
});
