import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MODULUS, GROUP_ORDER, encodeWord } from './field.js';
import {
  CIPHERTEXT_WORDS,
  ciphertextHash,
  ciphertextWords,
  decodeCiphertext,
  decrypt,
  encodeCiphertext,
  encrypt,
  isEncryptionOf,
} from './encryption.js';
import { FixedBaseTable } from './fixed-base-table.js';
import { multiplyGenerator } from './grumpkin.js';
import { decodeJointKey, encodeJointKey } from './joint-key.js';
import { randomScalar } from './random.js';

const words = fc.array(fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }), { minLength: 1, maxLength: 6 });
const runs = { numRuns: 30 };
const [userSecret, operatorSecret] = [randomScalar(), randomScalar()];
const key = { user: multiplyGenerator(userSecret), operator: multiplyGenerator(operatorSecret) };
const table = new FixedBaseTable(key.operator);

describe('what is encrypted to a joint key', () => {
  it('is read by the user and by the operator, also after encoding', () => {
    fc.assert(
      fc.property(words, (plaintext) => {
        const bytes = encodeCiphertext(encrypt(plaintext, key, randomScalar()));
        const ciphertext = decodeCiphertext(bytes)!;
        expect(bytes).toHaveLength(72 + 64 * plaintext.length);
        expect(decrypt(ciphertext, 'user', userSecret)).toEqual(plaintext);
        expect(decrypt(ciphertext, 'operator', operatorSecret)).toEqual(plaintext);
      }),
      runs,
    );
  });

  it('is the same with a table of the operator’s key', () => {
    const rho = randomScalar();
    expect(encrypt([1n, 2n], key, rho, table)).toEqual(encrypt([1n, 2n], key, rho));
  });

  it('is known by its randomization factor, and nothing else passes for it', () => {
    fc.assert(
      fc.property(words, (plaintext) => {
        const rho = randomScalar();
        const ciphertext = encrypt(plaintext, key, rho);
        const changed = plaintext.map((word, index) => (index === 0 ? (word + 1n) % FIELD_MODULUS : word));
        const swapped = { user: key.operator, operator: key.user };
        expect(isEncryptionOf(ciphertext, plaintext, key, rho, table)).toBe(true);
        expect(isEncryptionOf(ciphertext, changed, key, rho)).toBe(false);
        expect(isEncryptionOf(ciphertext, plaintext, swapped, rho)).toBe(false);
        expect(isEncryptionOf(ciphertext, plaintext, key, (rho % (GROUP_ORDER - 1n)) + 1n)).toBe(false);
        expect(isEncryptionOf(ciphertext, [...plaintext, 0n], key, rho)).toBe(false);
        for (const bad of [0n, GROUP_ORDER, rho + GROUP_ORDER]) {
          expect(isEncryptionOf(ciphertext, plaintext, key, bad)).toBe(false);
        }
      }),
      runs,
    );
  });

  it('hashes over as many words however short it is, and differently when any of them changes', () => {
    const ciphertext = encrypt([5n], key, randomScalar());
    const all = ciphertextWords(ciphertext);
    expect(all).toHaveLength(CIPHERTEXT_WORDS);
    expect(all.slice(5)).toEqual(Array(10).fill(0n));
    const hashes = [
      ciphertextHash(ciphertext),
      ciphertextHash({ ...ciphertext, user: [6n] }),
      ciphertextHash({ ...ciphertext, operator: [6n] }),
      ciphertextHash({ ...ciphertext, user: [...ciphertext.user, 0n] }),
      ciphertextHash(undefined),
    ];
    expect(new Set(hashes).size).toBe(5);
  });

  it('is at most six words of the field', () => {
    expect(() => encrypt(Array(7).fill(0n), key, 1n)).toThrow(/at most 6/);
    expect(() => encrypt([FIELD_MODULUS], key, 1n)).toThrow(RangeError);
    expect(() => encrypt([1n], key, 0n)).toThrow(RangeError);
  });
});

describe('bytes that are not a ciphertext', () => {
  const valid = encodeCiphertext(encrypt([1n, 2n], key, randomScalar()));
  const changed = (offset: number, bytes: Uint8Array) => {
    const copy = Uint8Array.from(valid);
    copy.set(bytes, offset);
    return copy;
  };

  it.each([
    ['nothing', new Uint8Array()],
    ['a count of none', changed(7, Uint8Array.of(0))],
    ['a count above the text', changed(7, Uint8Array.of(3))],
    ['a count below the text', changed(7, Uint8Array.of(1))],
    ['a count of 2^63', changed(0, Uint8Array.of(0x80))],
    ['a point off the curve', changed(8, encodeWord(12345n))],
    ['a word above the modulus', changed(72, encodeWord(FIELD_MODULUS))],
    ['a byte too many', Uint8Array.from([...valid, 0])],
    ['a byte too few', valid.subarray(0, valid.length - 1)],
    ['eight kilobytes of ones', new Uint8Array(8192).fill(0xff)],
  ])('are recognized: %s', (_, bytes) => {
    expect(decodeCiphertext(bytes)).toBeUndefined();
  });
});

describe('a joint key', () => {
  it('survives encoding', () => {
    expect(encodeJointKey(key)).toHaveLength(128);
    expect(decodeJointKey(encodeJointKey(key))).toEqual(key);
  });

  it('is refused with either half off the curve', () => {
    for (const offset of [0, 64]) {
      const bytes = encodeJointKey(key);
      bytes.set(encodeWord(1234n), offset);
      expect(decodeJointKey(bytes)).toBeUndefined();
    }
    expect(decodeJointKey(encodeJointKey(key).subarray(1))).toBeUndefined();
  });
});
