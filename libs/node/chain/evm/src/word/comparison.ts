import { SIGN_BIT, type Word } from './word.js';

export function lessThan(a: Word, b: Word): 0 | 1 {
  return a < b ? 1 : 0;
}

export function greaterThan(a: Word, b: Word): 0 | 1 {
  return a > b ? 1 : 0;
}

/** Two's complement: a word with the highest bit is below every word without. */
export function lessThanSigned(a: Word, b: Word): 0 | 1 {
  const negative = isNegative(a);
  if (negative !== isNegative(b)) return negative ? 1 : 0;
  return a < b ? 1 : 0;
}

export function greaterThanSigned(a: Word, b: Word): 0 | 1 {
  return lessThanSigned(b, a);
}

function isNegative(word: Word): boolean {
  return typeof word !== 'number' && word >= SIGN_BIT;
}
