import { isSafeNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { FramingError } from './rpc-error.js';

/** Integers of at least this many digits may not fit a double. */
const LONG_INTEGER_DIGITS = 16;
/** Reading an integer takes time that grows with the square of its digits: ten million of them take seconds. */
const MAX_DIGITS = 400;
/** Objects with more keys look them up in a set; a list is faster for the few that most have. */
const FEW_KEYS = 12;

/**
 * Reads JSON strictly: no key twice in an object, nesting and digits within bounds, and integers that a
 * double cannot hold as bigint. A number beyond the range of doubles is refused rather than read as infinite.
 *
 * A duplicate key means different things to different readers; a signer must not guess which one was meant.
 *
 * Cost: one pass over the text besides JSON.parse
 *
 * @throws FramingError PARSE_ERROR when it is not JSON, INVALID_REQUEST when it breaks a bound
 */
export function readJsonText(text: string, maxDepth: number): unknown {
  const hasUnusualNumber = scan(text, maxDepth);
  try {
    return hasUnusualNumber ? parseLossless(text, undefined, readNumber) : (JSON.parse(text) as unknown);
  } catch {
    throw new FramingError('PARSE_ERROR', 'parse error: the body is not JSON');
  }
}

function readNumber(digits: string): number | bigint {
  if (/^-?\d+$/.test(digits) && !isSafeNumber(digits)) return BigInt(digits);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new RangeError('beyond the range of doubles');
  return value;
}

/** Writes JSON; bigints become integers. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The fast writer knows no bigint.
    if (error instanceof TypeError) return stringifyLossless(value) ?? 'null';
    throw error;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Scans the text once and returns whether a number in it may not survive JSON.parse; malformed text is left for that to
 * refuse.
 */
function scan(text: string, maxDepth: number): boolean {
  // Per open object the keys seen so far; undefined for an array.
  const open: (SeenKeys | undefined)[] = [];
  let hasUnusualNumber = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const keys = open[open.length - 1];
      if (keys !== undefined && isKey(text, end)) addKey(keys, text.slice(at, end));
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length === maxDepth) throw invalid(`nested deeper than ${maxDepth} levels`);
      open.push(code === OPEN_BRACE ? { list: [], set: undefined } : undefined);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
    } else if (isDigit(code)) {
      const end = endOfDigits(text, at);
      if (end - at > MAX_DIGITS) throw invalid(`a number of more than ${MAX_DIGITS} digits`);
      if (end - at >= LONG_INTEGER_DIGITS || isExponentMark(text.charCodeAt(end))) hasUnusualNumber = true;
      at = end - 1;
    }
  }
  return hasUnusualNumber;
}

function invalid(problem: string): FramingError {
  return new FramingError('INVALID_REQUEST', `invalid request: ${problem}`);
}

/** Position behind the closing quote. Strings may be long, and `indexOf` is many times faster than a loop here. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** A string is a key when a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}

interface SeenKeys {
  readonly list: string[];
  set: Set<string> | undefined;
}

function addKey(seen: SeenKeys, quoted: string): void {
  const key = quoted.includes('\\') ? unescapeKey(quoted) : quoted.slice(1, -1);
  if (seen.set === undefined ? seen.list.includes(key) : seen.set.has(key)) {
    throw invalid(`duplicate key ${quoted.slice(0, 80)}`);
  }
  if (seen.set !== undefined) seen.set.add(key);
  else if (seen.list.push(key) > FEW_KEYS) seen.set = new Set(seen.list);
}

function unescapeKey(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isExponentMark(code: number): boolean {
  return code === 0x65 || code === 0x45;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
