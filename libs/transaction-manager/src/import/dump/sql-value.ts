import { ImportRefusedError } from '../import-refused-error.js';
import type { Dialect } from './dialect.js';
import type { Token } from './sql-lexer.js';

/** A value of a row as a dump writes it. */
export type SqlValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** Text of a literal without a type: of bytes where the column has those. */
  | { readonly kind: 'text'; readonly bytes: Buffer }
  /** Bytes that H2 wrote in parts before the row. */
  | { readonly kind: 'parts'; readonly id: string }
  /** An expression or number. */
  | { readonly kind: 'other'; readonly text: string };

/** The value of its tokens: `NULL`, `X'…'`, `0x…`, `_binary '…'`, `'…'::bytea`, `SYSTEM_COMBINE_BLOB(1)`, a number. */
export function valueOf(tokens: readonly Token[]): SqlValue {
  const [first, second, third] = tokens;
  const word = first?.kind === 'word' ? first.text.toUpperCase() : undefined;
  if (first?.kind === 'string') return { kind: 'text', bytes: first.bytes };
  if (word === 'NULL') return { kind: 'null' };
  if (word === 'X' && second?.kind === 'string')
    return { kind: 'bytes', bytes: fromHex(second.bytes.toString('latin1')) };
  if (word === '_BINARY' && second?.kind === 'string') return { kind: 'bytes', bytes: second.bytes };
  if (word === '_BINARY' && second !== undefined) return valueOf(tokens.slice(1));
  if (word?.startsWith('0X') === true && first?.kind === 'word')
    return { kind: 'bytes', bytes: fromHex(first.text.slice(2)) };
  if (word === 'SYSTEM_COMBINE_BLOB' && third?.kind === 'word') return { kind: 'parts', id: third.text };
  const text = tokens.map((token) => ('text' in token ? token.text : "'…'")).join('');
  return { kind: 'other', text: text.slice(0, 60) };
}

/**
 * Text of a column of bytes in that dialect.
 * @throws ImportRefusedError
 */
export function bytesOfText(text: Buffer, dialect: Dialect): Buffer {
  if (dialect === 'mysql') return text;
  if (dialect !== 'postgresql') return fromHex(text.toString('latin1'));
  if (text[0] === BACKSLASH && text[1] === LETTER_X) return fromHex(text.toString('latin1', 2));
  return fromEscaped(text);
}

const [BACKSLASH, LETTER_X] = [0x5c, 0x78];

/** The form of `bytea_output = escape`: `\\` and `\ooo`, other bytes as they are. */
function fromEscaped(text: Buffer): Buffer {
  const bytes = Buffer.alloc(text.length);
  let size = 0;
  for (let at = 0; at < text.length; size += 1) {
    const isEscape = text[at] === BACKSLASH;
    const isDoubled = isEscape && text[at + 1] === BACKSLASH;
    bytes[size] = isEscape ? (isDoubled ? BACKSLASH : octalAt(text, at + 1)) : (text[at] as number);
    at += isEscape ? (isDoubled ? 2 : 4) : 1;
  }
  return bytes.subarray(0, size);
}

function octalAt(text: Buffer, at: number): number {
  const digits = text.toString('latin1', at, at + 3);
  if (!/^[0-3][0-7]{2}$/.test(digits)) throw new ImportRefusedError('an escape is not three octal digits');
  return Number.parseInt(digits, 8);
}

/** @throws ImportRefusedError */
export function fromHex(text: string): Buffer {
  const bytes = Buffer.from(text, 'hex');
  // The decoder ends at the first character that is not a digit.
  if (bytes.length * 2 !== text.length) throw new ImportRefusedError('a literal is not hexadecimal');
  return bytes;
}
