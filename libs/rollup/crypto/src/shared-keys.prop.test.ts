import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { disclosureHash } from './disclosure.js';
import { claimHash } from './claim.js';
import { decrypt, encrypt } from './encryption.js';
import { FIELD_MODULUS, GROUP_ORDER, encodeWord, modulo } from './field.js';
import { multiplyGenerator, sumOfProducts } from './grumpkin.js';
import { openWithSharedKey, proveSharedKeys, verifySharedKeys } from './shared-keys.js';

const scalars = fc.bigInt({ min: 1n, max: GROUP_ORDER - 2n });
const words = fc.array(fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }), { minLength: 1, maxLength: 6 });
const texts = fc.array(fc.tuple(words, scalars, fc.boolean()), { minLength: 1, maxLength: 6 });
const runs = { numRuns: 25 };
const domain = 5n;

/** Texts of which some are to the user and the others to another one. */
function encrypted(list: readonly (readonly [readonly bigint[], bigint, boolean])[], key: bigint) {
  const user = multiplyGenerator(key);
  const other = multiplyGenerator(modulo(key + 7n, GROUP_ORDER - 1n) + 1n);
  return list.map(([plain, factor, isOwn]) =>
    encrypt(plain, { user: isOwn ? user : other, operator: other }, factor),
  );
}

describe('shared keys', () => {
  it('open what the encryption key opens, and the proof holds for all of them', () => {
    fc.assert(
      fc.property(texts, scalars, (list, key) => {
        const ciphertexts = encrypted(list, key);
        const ephemerals = ciphertexts.map(({ ephemeral }) => ephemeral);
        const { keys, proof } = proveSharedKeys(key, { domain, ephemerals });
        const user = multiplyGenerator(key);
        expect(verifySharedKeys({ domain, user, ephemerals }, keys, proof)).toBe(true);
        ciphertexts.forEach((ciphertext, index) => {
          const opened = openWithSharedKey(ciphertext, keys[index]!);
          expect(opened).toEqual(decrypt(ciphertext, 'user', key));
          const [plain, , isOwn] = list[index]!;
          expect(opened.join() === plain.join()).toBe(isOwn);
        });
      }),
      runs,
    );
  });

  it('are refused when one is another, missing, in another place, of another user or of another rollup', () => {
    fc.assert(
      fc.property(texts, scalars, fc.nat(), (list, key, place) => {
        const distinct = [...new Map(list.map((text) => [text[1], text])).values()];
        const ephemerals = encrypted(distinct, key).map(({ ephemeral }) => ephemeral);
        const { keys, proof } = proveSharedKeys(key, { domain, ephemerals });
        const user = multiplyGenerator(key);
        const other = multiplyGenerator(modulo(key, GROUP_ORDER - 1n) + 1n);
        const at = place % keys.length;
        const changed = keys.map((one, index) =>
          index === at ? sumOfProducts([{ point: one, scalar: 2n }]) : one,
        );
        expect(verifySharedKeys({ domain, user, ephemerals }, changed, proof)).toBe(false);
        expect(verifySharedKeys({ domain, user, ephemerals }, keys.slice(1), proof)).toBe(false);
        expect(verifySharedKeys({ domain, user: other, ephemerals }, keys, proof)).toBe(false);
        expect(verifySharedKeys({ domain: 6n, user, ephemerals }, keys, proof)).toBe(false);
        expect(verifySharedKeys({ domain, user, ephemerals }, keys, { ...proof, s: proof.e })).toBe(false);
        if (keys.length > 1)
          expect(verifySharedKeys({ domain, user, ephemerals }, [...keys].reverse(), proof)).toBe(false);
      }),
      runs,
    );
  });

  it('cannot be traded against each other: an error that cancels without weights is noticed', () => {
    const ephemerals = [2n, 3n].map(multiplyGenerator);
    const { keys, proof } = proveSharedKeys(11n, { domain, ephemerals });
    const shifted = [multiplyGenerator(22n + 1n), multiplyGenerator(33n - 1n)];
    expect(keys).toEqual([multiplyGenerator(22n), multiplyGenerator(33n)]);
    expect(verifySharedKeys({ domain, user: multiplyGenerator(11n), ephemerals }, shifted, proof)).toBe(
      false,
    );
  });
});

describe('the sum of products', () => {
  it('is the product of the sum', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(scalars, scalars), { minLength: 1, maxLength: 9 }), (list) => {
        const total = list.reduce((sum, [base, scalar]) => {
          const product = modulo(base * scalar, GROUP_ORDER);
          // The formulas have neither doubling nor infinity; weights that are drawn do not lead there.
          fc.pre(product !== 0n && sum !== product && sum + product !== GROUP_ORDER);
          return modulo(sum + product, GROUP_ORDER);
        }, 0n);
        const products = list.map(([base, scalar]) => ({ point: multiplyGenerator(base), scalar }));
        expect(sumOfProducts(products)).toEqual(multiplyGenerator(total));
      }),
      runs,
    );
  });
});

it('what is signed for a disclosure is no claim, and differs with the digest and the rollup', () => {
  const digest = encodeWord(2n ** 255n + 9n);
  const hash = disclosureHash(domain, digest);
  expect(disclosureHash(domain, encodeWord(2n ** 255n + 8n))).not.toBe(hash);
  expect(disclosureHash(domain, encodeWord(2n ** 254n + 9n))).not.toBe(hash);
  expect(disclosureHash(6n, digest)).not.toBe(hash);
  const recipient = `0x${'00'.repeat(19)}09` as Parameters<typeof claimHash>[1]['recipient'];
  expect(claimHash(domain, { accountId: 2 ** 127, recipient })).not.toBe(hash);
});
