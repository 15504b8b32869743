import { bytesToHex, bytesToString, getAddress, hexToBytes } from 'viem/utils';
import { canonicalType, elementOf, readableType, type Param } from './param.js';

/** Values of one decoding; a list of 20,000 is read by programs. */
const MAX_VALUES = 20_000;
const WORD = 32;

/** A decoded value, or those of a tuple or an array. */
export interface Value {
  /** Empty for elements. A stranger's text. */
  readonly name: string;
  readonly type: string;
  /** As text of the type; a string's own text. */
  readonly content: string | readonly Value[];
}

/** Data that is not the encoding of values of those types; the message names the value. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';

  constructor(at: string, problem: string) {
    super(at === '' ? problem : `${at}: ${problem}`);
  }
}

export interface Decoded {
  readonly values: readonly Value[];
  /** Bytes after the encoding. */
  readonly further: number;
}

/**
 * The values of data that is their encoding as compilers and clients write it: every part once, in order, padded with zeros.
 *
 * Decoders of libraries follow offsets wherever they lead, so that a few kilobytes of a stranger become gigabytes, and two texts are
 * read from the same bytes. Here each byte is read once at most. Other encodings of the same values, which contracts take, are refused.
 *
 * Source: Solidity, "Contract ABI Specification", strict mode
 *
 * @throws Undecodable
 */
export function decodeValues(params: readonly Param[], data: string): Decoded {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(data)) throw new Undecodable('', 'is not hex of whole bytes');
  const decoder = new Decoder(hexToBytes(data as `0x${string}`));
  return decoder.decode(params);
}

/**
 * A value of a type that takes one word, such as a topic.
 * @throws Undecodable
 */
export const decodeWord = (param: Param, word: string): Value =>
  decodeValues([param], word).values[0] as Value;

/** Bytes of the head of a value: of a reference to it where its size varies. */
const headSize = (param: Param): number => (isDynamic(param) ? WORD : staticSize(param));

function staticSize({ dimensions, base, components }: Param): number {
  const one = base === 'tuple' ? components.reduce((sum, part) => sum + staticSize(part), 0) : WORD;
  return dimensions.reduce((size: number, length) => size * (length ?? 0), one);
}

/** Whether the size of a value depends on it. */
function isDynamic({ base, dimensions, components }: Param): boolean {
  if (dimensions.includes(null)) return true;
  return base === 'string' || base === 'bytes' || (base === 'tuple' && components.some(isDynamic));
}

class Decoder {
  private left = MAX_VALUES;

  constructor(private readonly bytes: Uint8Array) {}

  decode(params: readonly Param[]): Decoded {
    const [values, end] = this.sequence(params, 0, '');
    return { values, further: this.bytes.length - end };
  }

  /**
   * Values beside one another: heads first, then what they refer to.
   * @returns the values; where they end
   */
  private sequence(params: readonly Param[], start: number, path: string): [Value[], number] {
    let head = start;
    let tail = start + params.reduce((sum, param) => sum + headSize(param), 0);
    this.assertIn(tail, path);
    const values: Value[] = [];
    for (const [index, param] of params.entries()) {
      const at = join(path, param.name === '' ? String(index) : param.name);
      if (isDynamic(param)) {
        if (this.length(head, at) !== tail - start) throw new Undecodable(at, 'is not where it belongs');
        head += WORD;
        const [value, end] = this.value(param, tail, at);
        values.push(value);
        tail = end;
      } else {
        const [value, end] = this.value(param, head, at);
        values.push(value);
        head = end;
      }
    }
    return [values, tail];
  }

  private value(param: Param, at: number, path: string): [Value, number] {
    this.left -= 1;
    if (this.left < 0) throw new Undecodable(path, `more than ${MAX_VALUES} values`);
    const { name, base, dimensions, components } = param;
    const type = readableType(param);
    if (dimensions.length > 0) {
      const [content, end] = this.elements(param, at, path);
      return [{ name, type, content }, end];
    }
    if (base === 'tuple') {
      const [content, end] = this.sequence(components, at, path);
      return [{ name, type, content }, end];
    }
    if (base === 'string' || base === 'bytes') {
      const [bytes, end] = this.content(at, path);
      return [{ name, type, content: base === 'bytes' ? bytesToHex(bytes) : textOf(bytes, path) }, end];
    }
    this.assertIn(at + WORD, path);
    return [{ name, type, content: wordValue(base, this.bytes.subarray(at, at + WORD), path) }, at + WORD];
  }

  private elements(param: Param, at: number, path: string): [Value[], number] {
    const fixed = param.dimensions.at(-1) ?? null;
    const element = elementOf(param);
    const count = fixed ?? this.length(at, path);
    const start = fixed === null ? at + WORD : at;
    if (count > this.left) throw new Undecodable(path, `more than ${MAX_VALUES} values`);
    this.assertIn(start + count * headSize(element), path);
    return this.sequence(Array<Param>(count).fill(element), start, path);
  }

  /** Bytes with their length before and zeros after them. */
  private content(at: number, path: string): [Uint8Array, number] {
    const size = this.length(at, path);
    const start = at + WORD;
    const end = start + Math.ceil(size / WORD) * WORD;
    this.assertIn(end, path);
    assertZero(this.bytes.subarray(start + size, end), path, 'is not padded with zeros');
    return [this.bytes.subarray(start, start + size), end];
  }

  /** A length or an offset, which is at most the number of bytes. */
  private length(at: number, path: string): number {
    this.assertIn(at + WORD, path);
    const value = BigInt(bytesToHex(this.bytes.subarray(at, at + WORD)));
    if (value > BigInt(this.bytes.length)) throw new Undecodable(path, 'is longer than the data');
    return Number(value);
  }

  private assertIn(end: number, path: string): void {
    if (end > this.bytes.length) throw new Undecodable(path, 'the data ends before it');
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function assertZero(bytes: Uint8Array, path: string, problem: string): void {
  if (bytes.some((byte) => byte !== 0)) throw new Undecodable(path, problem);
}

function textOf(bytes: Uint8Array, path: string): string {
  const text = bytesToString(bytes);
  // The decoder puts U+FFFD for what is no text, and takes away a byte order mark.
  const back = new TextEncoder().encode(text);
  if (back.length !== bytes.length || back.some((byte, at) => byte !== bytes[at]))
    throw new Undecodable(path, 'is not UTF-8');
  return text;
}

/**
 * The text of a value of one word.
 * @param base - no tuple, string or bytes
 */
function wordValue(base: string, word: Uint8Array, path: string): string {
  if (base === 'address') {
    assertZero(word.subarray(0, 12), path, 'has more than 20 bytes');
    return getAddress(bytesToHex(word.subarray(12)));
  }
  if (base === 'bool') {
    assertZero(word.subarray(0, 31), path, 'is neither true nor false');
    if ((word[31] ?? 0) > 1) throw new Undecodable(path, 'is neither true nor false');
    return word[31] === 1 ? 'true' : 'false';
  }
  if (base === 'function' || base.startsWith('bytes')) {
    const size = base === 'function' ? 24 : Number(base.slice('bytes'.length));
    assertZero(word.subarray(size), path, `has more than ${size} bytes`);
    return bytesToHex(word.subarray(0, size));
  }
  const bits = Number(base.replace(/^u?int/, ''));
  const unsigned = BigInt(bytesToHex(word));
  const value = base.startsWith('u') ? unsigned : BigInt.asIntN(256, unsigned);
  const back = base.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (back !== value) throw new Undecodable(path, `is no ${base}`);
  return value.toString();
}

/** Whether a topic has the value itself, rather than its hash. */
export const isInTopic = (param: Param): boolean =>
  param.dimensions.length === 0 && !['tuple', 'string', 'bytes'].includes(param.base);

/** A value of which a topic has the hash. */
export const hashedValue = (param: Param, topic: string): Value => ({
  name: param.name,
  type: `hash of ${canonicalType(param)}`,
  content: topic,
});
