import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  NO_CONSENT,
  consentHash,
  consentWords,
  creditWord,
  openCredit,
  readConsentWords,
  type ConsentTerms,
  type CreditPlace,
} from './consent.js';
import { FIELD_MODULUS } from './field.js';
import { multiplyGenerator } from './grumpkin.js';
import { hashWords } from './poseidon2.js';

const domain = 4711n;
const words = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n });
const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const ids = fc.nat({ max: 2 ** 32 - 1 });
const terms: fc.Arbitrary<ConsentTerms> = fc.record({
  minimum: amounts,
  untilHeight: ids,
  tokenId: fc.nat({ max: 255 }),
  secret: words,
});
const places: fc.Arbitrary<CreditPlace> = fc.record({
  publicKey: fc.bigInt({ min: 1n, max: 2n ** 200n }).map(multiplyGenerator),
  consent: words,
  secret: words,
  leaf: words,
  totalIndex: fc.nat({ max: 2 ** 48 - 1 }),
});

describe('the hash of a consent', () => {
  it('is that of the page for authors of wallets', () => {
    const said = { minimum: 5n, untilHeight: 6, tokenId: 7, secret: 8n };
    expect(consentHash(domain, said)).toBe(hashWords([domain * 8n + 7n, 5n, 6n, 7n, 8n, 0n, 0n, 0n, 0n]));
    expect(consentHash(domain, undefined)).toBe(NO_CONSENT);
  });

  it('changes with each of its terms, and with the rollup', () => {
    fc.assert(
      fc.property(terms, (said) => {
        const others = [
          { ...said, minimum: said.minimum + 1n },
          { ...said, untilHeight: said.untilHeight + 1 },
          { ...said, tokenId: said.tokenId + 1 },
          { ...said, secret: said.secret + 1n },
        ];
        const hashes = [said, ...others].map((each) => consentHash(domain, each));
        hashes.push(consentHash(domain + 1n, said));
        expect(new Set(hashes).size).toBe(hashes.length);
        expect(hashes).not.toContain(NO_CONSENT);
      }),
    );
  });
});

describe('the text of a change of a consent', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.option(terms, { nil: undefined }), (said) => {
        const consent = consentHash(domain, said);
        expect(readConsentWords(domain, consentWords(consent, said))).toEqual({ consent, terms: said });
      }),
    );
  });

  it('names a consent that it does not open, and no terms then', () => {
    fc.assert(
      fc.property(terms, fc.nat({ max: 4 }), words, (said, place, other) => {
        const written = consentWords(consentHash(domain, said), said);
        fc.pre(other !== written[place] && !(place === 0 && other === NO_CONSENT));
        const changed = written.with(place, other);
        expect(readConsentWords(domain, changed)).toEqual({ consent: changed[0], terms: undefined });
      }),
    );
  });

  it('is not read from another number of words, or from words that are not field elements', () => {
    const written = consentWords(consentHash(domain, undefined), undefined);
    for (const text of [[], written.slice(1), [...written, 0n], written.with(4, FIELD_MODULUS)])
      expect(readConsentWords(domain, text)).toBeUndefined();
  });

  it('opens nothing that is beyond what a batch can say', () => {
    for (const change of [{ minimum: 2n ** 64n }, { untilHeight: 2 ** 32 }, { tokenId: 2 ** 32 }]) {
      const said = { minimum: 1n, untilHeight: 1, tokenId: 1, secret: 1n, ...change };
      const consent = consentHash(domain, said);
      expect(readConsentWords(domain, consentWords(consent, said))).toEqual({ consent, terms: undefined });
    }
  });
});

describe('the word of a credit', () => {
  it('is read with the secret of the consent', () => {
    fc.assert(
      fc.property(places, ids, amounts, (place, fromAccountId, amount) => {
        const word = creditWord(place, { fromAccountId, amount });
        expect(openCredit(place, word)).toEqual({ fromAccountId, amount });
      }),
    );
  });

  it('says nothing with another secret, consent, leaf, place or key', () => {
    fc.assert(
      fc.property(places, ids, amounts, (place, fromAccountId, amount) => {
        const said = { fromAccountId, amount };
        const word = creditWord(place, said);
        for (const change of [
          { secret: (place.secret + 1n) % FIELD_MODULUS },
          { consent: place.consent + 1n },
          { leaf: (place.leaf + 1n) % FIELD_MODULUS },
          { totalIndex: place.totalIndex + 1 },
          { publicKey: multiplyGenerator(3n) },
        ])
          expect(openCredit({ ...place, ...change }, word)).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });
});
