import { isUtf8 } from 'node:buffer';
import { isSafeNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { FramingError } from './rpc-error.js';

/** Integers of at least this many digits may not fit a double. */
const LONG_INTEGER_DIGITS = 16;

/**
 * Reads JSON strictly: valid UTF-8, no key twice in an object, nesting within the bound, and integers that a double
 * cannot hold as bigint.
 *
 * A key that stands twice means different things to different readers; a signer must not guess which one was meant.
 *
 * Fails: FramingError PARSE_ERROR when it is no JSON, INVALID_REQUEST when it breaks a bound
 * Cost:  one pass over the text besides JSON.parse
 */
export function readJson(body: Uint8Array | string, maxDepth: number): unknown {
  const text = typeof body === 'string' ? body : decodeUtf8(body);
  const { hasLongInteger } = scan(text, maxDepth);
  try {
    if (!hasLongInteger) return JSON.parse(text) as unknown;
    return parseLossless(text, undefined, (digits) =>
      /^-?\d+$/.test(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits),
    );
  } catch {
    throw new FramingError('PARSE_ERROR', 'parse error: the body is not JSON');
  }
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

function decodeUtf8(body: Uint8Array): string {
  if (!isUtf8(body)) throw new FramingError('PARSE_ERROR', 'parse error: the body is not UTF-8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Walks over the text once; malformed text is left to JSON.parse to refuse. */
function scan(text: string, maxDepth: number): { hasLongInteger: boolean } {
  // Per open object the keys seen so far; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let hasLongInteger = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const keys = open[open.length - 1];
      if (keys !== undefined && isKey(text, end)) addKey(keys, text.slice(at, end));
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length === maxDepth) {
        throw new FramingError('INVALID_REQUEST', `invalid request: nested deeper than ${maxDepth} levels`);
      }
      open.push(code === OPEN_BRACE ? new Set() : undefined);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
    } else if (isDigit(code)) {
      const end = endOfDigits(text, at);
      if (end - at >= LONG_INTEGER_DIGITS) hasLongInteger = true;
      at = end - 1;
    }
  }
  return { hasLongInteger };
}

/** Position behind the closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** A string is a key when a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}

function addKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? unescapeKey(quoted) : quoted.slice(1, -1);
  if (keys.has(key))
    throw new FramingError('INVALID_REQUEST', `invalid request: the key ${quoted.slice(0, 80)} stands twice`);
  keys.add(key);
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
