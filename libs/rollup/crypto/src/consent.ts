import { FIELD_MODULUS, isFieldElement, modulo } from './field.js';
import type { Point } from './grumpkin.js';
import { operationKinds } from './operation-kinds.js';
import { hashWords } from './poseidon2.js';

/** What an account holder agrees to once: payments to it of a token are credited at once, without a signature for each (docs/adr/0253). */
export interface ConsentTerms {
  /** Of the token, in units of the rollup; smaller payments stay money orders. Below 2^64. */
  readonly minimum: bigint;
  /** Height of the last batch that may credit by it; below 2^32. */
  readonly untilHeight: number;
  readonly tokenId: number;
  /** A word that only holder and operator know; drawn anew for each consent, with it the holder reads what came. */
  readonly secret: bigint;
}

/** Of an account without a consent. */
export const NO_CONSENT = 0n;

/** Words of the text of a change of a consent. */
const CONSENT_WORDS = 5;
/** Words of an opened consent after the others, so that it is hashed as an operation is. */
const PADDING = [0n, 0n, 0n, 0n] as const;

/**
 * What the leaf of an account holds of a consent: `H(domain · 8 + 7, minimum, until height, token, secret, 0, 0, 0, 0)`.
 *
 * @param domain - which rollup it is for (`rollupDomain`)
 * @param terms - undefined for none
 * @returns the hash; `NO_CONSENT` for none
 */
export function consentHash(domain: bigint, terms: ConsentTerms | undefined): bigint {
  if (terms === undefined) return NO_CONSENT;
  const { minimum, untilHeight, tokenId, secret } = terms;
  const tag = domain * 8n + BigInt(operationKinds.credit);
  return hashWords([tag, minimum, BigInt(untilHeight), BigInt(tokenId), secret, ...PADDING]);
}

/**
 * The text of a change of a consent, which says no less when it ends one.
 *
 * @param consent - the new one, as the leaf has it
 * @param terms - undefined for none
 * @returns `consent, minimum, until height, token, secret`, zeros for none
 */
export function consentWords(consent: bigint, terms: ConsentTerms | undefined): bigint[] {
  if (terms === undefined) return [consent, 0n, 0n, 0n, 0n];
  return [consent, terms.minimum, BigInt(terms.untilHeight), BigInt(terms.tokenId), terms.secret];
}

/** What the text of a change says: the consent, and what opens it. */
export interface ReadConsent {
  readonly consent: bigint;
  /** Undefined for none, and for a text that does not open the consent which it names. */
  readonly terms: ConsentTerms | undefined;
}

/**
 * Reads the text of a change of a consent.
 *
 * @param domain - which rollup it is for
 * @param words - of the text, from anywhere
 * @returns undefined when it is no such text
 */
export function readConsentWords(domain: bigint, words: readonly bigint[]): ReadConsent | undefined {
  const [consent, minimum, until, token, secret] = words as [bigint, bigint, bigint, bigint, bigint];
  if (words.length !== CONSENT_WORDS || !words.every(isFieldElement)) return undefined;
  if (consent === NO_CONSENT) return { consent, terms: undefined };
  if (minimum >> 64n !== 0n || until >> 32n !== 0n || token >> 32n !== 0n)
    return { consent, terms: undefined };
  const terms = { minimum, untilHeight: Number(until), tokenId: Number(token), secret };
  return { consent, terms: consentHash(domain, terms) === consent ? terms : undefined };
}

/** Where a credit is, and whose: what its only word is hidden by. */
export interface CreditPlace {
  readonly publicKey: Point;
  /** As the leaf of the account has it. */
  readonly consent: bigint;
  /** Of `ConsentTerms`. */
  readonly secret: bigint;
  /** The leaf of the account afterwards: each is new, so that no pad is used twice. */
  readonly leaf: bigint;
  /** Total index of the credit. */
  readonly totalIndex: number;
}

/** What came by a credit. */
export interface CreditedAmount {
  /** 0 for a deposit. */
  readonly fromAccountId: number;
  readonly amount: bigint;
}

/**
 * The word that a batch publishes of a credit: `from · 2^64 + amount + H(secret + leaf, total index, P.x, P.y, consent)`. The circuit
 * proves it, so that the holder can always read it.
 */
export function creditWord(place: CreditPlace, { fromAccountId, amount }: CreditedAmount): bigint {
  return modulo((BigInt(fromAccountId) << 64n) + amount + creditPad(place), FIELD_MODULUS);
}

/**
 * Reads the word of a credit.
 *
 * @param place - where it is; with anything wrong in it the word says nothing
 * @param word - the first of its ciphertext
 * @returns undefined when it says no amount
 */
export function openCredit(place: CreditPlace, word: bigint): CreditedAmount | undefined {
  const said = modulo(word - creditPad(place), FIELD_MODULUS);
  if (said >> 96n !== 0n) return undefined;
  return { fromAccountId: Number(said >> 64n), amount: said & (2n ** 64n - 1n) };
}

/** The challenge of the signature that a credit does not have. */
function creditPad({ publicKey: { x, y }, consent, secret, leaf, totalIndex }: CreditPlace): bigint {
  return hashWords([modulo(secret + leaf, FIELD_MODULUS), BigInt(totalIndex), x, y, consent]);
}
