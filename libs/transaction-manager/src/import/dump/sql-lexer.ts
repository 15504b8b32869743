import { ImportRefusedError } from '../import-refused-error.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteInput } from './byte-input.js';
import type { Dialect } from './dialect.js';

export type Token =
  /** Without quotes, as written: a keyword, name or number. */
  | { readonly kind: 'word'; readonly text: string }
  /** A name in quotes. */
  | { readonly kind: 'name'; readonly text: string }
  /** A literal in quotes, without them and its escapes. */
  | { readonly kind: 'string'; readonly bytes: Buffer }
  /** Any other character. */
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'end' };

/** Most bytes of a value, and most characters that write one: two hexadecimal digits a byte, and a prefix. */
export const MAX_VALUE_BYTES = 64 * 1_048_576;
export const MAX_LITERAL_BYTES = 2 * MAX_VALUE_BYTES + 2;
/** Most bytes of a name or keyword. */
const MAX_NAME_BYTES = 1_024;

const code = (character: string) => character.charCodeAt(0);
const [QUOTE, DOUBLE_QUOTE, BACKTICK, BACKSLASH] = [code("'"), code('"'), code('`'), code('\\')];
const [DASH, SLASH, STAR, HASH, DOLLAR, NEW_LINE] = [
  code('-'),
  code('/'),
  code('*'),
  code('#'),
  code('$'),
  code('\n'),
];

/** What MySQL writes after a backslash for a byte that is not itself. */
const MYSQL_ESCAPES = new Map<number, number>(
  (['0\0', 'b\b', 'n\n', 'r\r', 't\t', 'Z\u001a'] as const).map(([letter = '', byte = '']) => [
    code(letter),
    code(byte),
  ]),
);

/** Splits a dump into tokens. Each byte is looked at once or twice; a literal is held, and nothing else. */
export class SqlLexer {
  private readonly isMysql: boolean;

  constructor(
    readonly input: ByteInput,
    dialect: Dialect,
  ) {
    this.isMysql = dialect === 'mysql';
  }

  /**
   * The next token.
   * @param keep - false for an empty text instead of the literal
   * @throws ImportRefusedError
   */
  async next(keep = true): Promise<Token> {
    await this.skipBlanks();
    if (!(await this.input.has(1))) return { kind: 'end' };
    const byte = this.input.buffered[0] as number;
    if (byte === QUOTE) return { kind: 'string', bytes: await this.quoted(QUOTE, this.isMysql, keep) };
    if (byte === DOUBLE_QUOTE || byte === BACKTICK) {
      const bytes = await this.quoted(byte, false, true, MAX_NAME_BYTES);
      return { kind: 'name', text: bytes.toString('utf8') };
    }
    if (isWordByte(byte)) return this.word(keep);
    this.input.skip(1);
    if (byte === DOLLAR && !this.isMysql) await this.skipDollarQuoted();
    return { kind: 'mark', text: String.fromCharCode(byte) };
  }

  /** Goes past the next line end. */
  async skipLine(): Promise<void> {
    await this.skipPast(NEW_LINE);
  }

  private async word(keep: boolean): Promise<Token> {
    const isHex = await this.startsHexNumber();
    const collected = new ByteCollector(isHex ? MAX_LITERAL_BYTES : MAX_NAME_BYTES, keep || !isHex);
    while (await this.input.has(1)) {
      const { buffered } = this.input;
      let end = 0;
      while (end < buffered.length && isWordByte(buffered[end] as number)) end += 1;
      if (!collected.add(buffered.subarray(0, end))) throw this.refusal('a word or number is too long');
      this.input.skip(end);
      if (end < buffered.length) break;
    }
    const text = collected.collected().toString('latin1');
    const isEscaped = (text === 'E' || text === 'e') && (await this.input.has(1));
    if (isEscaped && this.input.buffered[0] === QUOTE)
      return { kind: 'string', bytes: await this.quoted(QUOTE, true, keep) };
    return { kind: 'word', text };
  }

  private async startsHexNumber(): Promise<boolean> {
    if (!this.isMysql || !(await this.input.has(2))) return false;
    return this.input.buffered.toString('latin1', 0, 2).toLowerCase() === '0x';
  }

  private async quoted(
    quote: number,
    hasEscapes: boolean,
    keep: boolean,
    most = MAX_LITERAL_BYTES,
  ): Promise<Buffer> {
    const { input } = this;
    const start = input.position;
    const collected = new ByteCollector(most, keep);
    const collect = (isWithin: boolean) => {
      if (!isWithin) throw this.refusal(`a literal exceeds ${most} bytes`, start);
    };
    input.skip(1);
    while (await input.has(1)) {
      const end = stopOf(input.buffered, quote, hasEscapes);
      collect(collected.add(input.buffered.subarray(0, end)));
      input.skip(end);
      await input.has(2);
      const [stop, next] = input.buffered;
      if (stop !== quote && (next === undefined || !hasEscapes || stop !== BACKSLASH)) {
        if (next === undefined) break;
        continue;
      }
      if (stop === quote && next !== quote) {
        input.skip(1);
        return collected.collected();
      }
      collect(collected.addByte(stop === quote ? quote : (MYSQL_ESCAPES.get(next ?? 0) ?? next ?? 0)));
      input.skip(2);
    }
    throw this.refusal('the file ends within a literal', start);
  }

  private async skipBlanks(): Promise<void> {
    const { input } = this;
    while (await input.has(1)) {
      const byte = input.buffered[0] as number;
      if (byte <= 0x20) input.skip(countBlanks(input.buffered));
      else if (byte === HASH && this.isMysql) await this.skipLine();
      else if (byte === DASH && (await input.has(2)) && input.buffered[1] === DASH) await this.skipLine();
      else if (byte === SLASH && (await input.has(2)) && input.buffered[1] === STAR) await this.skipComment();
      else return;
    }
  }

  private async skipComment(): Promise<void> {
    const start = this.input.position;
    this.input.skip(2);
    while (await this.skipPast(STAR))
      if ((await this.input.has(1)) && this.input.buffered[0] === SLASH) return this.input.skip(1);
    throw this.refusal('the file ends within a comment', start);
  }

  /** Goes past `$tag$ … $tag$`, in which PostgreSQL writes functions; the first dollar is behind. */
  private async skipDollarQuoted(): Promise<void> {
    const { input } = this;
    const start = input.position;
    const tag = new ByteCollector(MAX_NAME_BYTES);
    while ((await input.has(1)) && isWordByte(input.buffered[0] as number)) {
      if (!tag.addByte(input.buffered[0] as number)) return;
      input.skip(1);
    }
    if (input.buffered[0] !== DOLLAR) return;
    const rest = Buffer.concat([tag.collected(), Buffer.of(DOLLAR)]);
    input.skip(1);
    while (await this.skipPast(DOLLAR)) {
      const isEnd = (await input.has(rest.length)) && input.buffered.subarray(0, rest.length).equals(rest);
      if (isEnd) return input.skip(rest.length);
    }
    throw this.refusal('the file ends within a function', start);
  }

  /** @returns whether there was such a byte */
  private async skipPast(byte: number): Promise<boolean> {
    while (await this.input.has(1)) {
      const { buffered } = this.input;
      const at = buffered.indexOf(byte);
      this.input.skip(at === -1 ? buffered.length : at + 1);
      if (at !== -1) return true;
    }
    return false;
  }

  private refusal(what: string, at = this.input.position): ImportRefusedError {
    return new ImportRefusedError(`byte ${at}: ${what}`);
  }
}

/** Index of the byte at which a literal may end, or of an escape; the length without one. */
function stopOf(bytes: Buffer, quote: number, hasEscapes: boolean): number {
  if (!hasEscapes) {
    const end = bytes.indexOf(quote);
    return end === -1 ? bytes.length : end;
  }
  let end = 0;
  while (end < bytes.length && bytes[end] !== quote && bytes[end] !== BACKSLASH) end += 1;
  return end;
}

function countBlanks(bytes: Buffer): number {
  let count = 0;
  while (count < bytes.length && (bytes[count] as number) <= 0x20) count += 1;
  return count;
}

/** Letters, digits, the underscore, and all bytes of characters beyond ASCII. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte >= 0x80
  );
}
