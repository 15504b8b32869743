import type { Token } from './sql-lexer.js';

/**
 * Whether the token is that word, in any case.
 * @param word - in upper case
 */
export function isWord(token: Token, word: string): boolean {
  return token.kind === 'word' && token.text.toUpperCase() === word;
}

export function isMark(token: Token, mark: string): boolean {
  return token.kind === 'mark' && token.text === mark;
}

const CONSTRAINTS = ['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'KEY', 'INDEX', 'FOREIGN', 'CHECK', 'FULLTEXT'];

/** Whether an entry of CREATE TABLE that begins with the token is not a column. */
export function isConstraint(token: Token): boolean {
  return token.kind !== 'word' || CONSTRAINTS.includes(token.text.toUpperCase());
}

/** A name in lower case. */
export function nameOf(token: Token): string {
  return token.kind === 'word' || token.kind === 'name' ? token.text.toLowerCase() : '';
}

/** The token in a message. */
export function describeToken(token: Token): string {
  return 'text' in token ? token.text.slice(0, 60) : token.kind;
}
