import { isUtf8 } from 'node:buffer';
import { MAJOR } from './write-cbor.js';

/**
 * Creates the reader's error.
 * @param message - begins with the name
 * @param name - of the item, as the caller calls it
 */
export type CborFault = (message: string, name: string) => Error;

export interface CborReaderOptions {
  readonly fault: CborFault;
  /**
   * Whether a head longer than its argument requires is refused. It has to be where the bytes are hashed or signed, so
   * that a value has one encoding; other writers may use any length (RFC 8949, section 3).
   */
  readonly canonical: boolean;
}

/**
 * Reads CBOR item by item, each with its expected type. An array or a map is entered only where one is expected, with a
 * count that is checked before its items, so that depth and work are bounded by the expected shape, never by the bytes.
 * Indefinite lengths, tags, floats and simple values are refused. The results are copies.
 * @throws every method with the error that the caller supplies
 */
export class CborReader {
  private at = 0;
  private readonly view: DataView;

  constructor(
    private readonly encoded: Uint8Array,
    private readonly options: CborReaderOptions,
  ) {
    this.view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  }

  /** Bytes that are left. */
  get left(): number {
    return this.encoded.length - this.at;
  }

  /** 0 to 2^64 - 1. */
  uint(name: string): bigint {
    return this.argument(name, 'uint');
  }

  /** -2^63 to 2^63 - 1. */
  int64(name: string): bigint {
    const { major, argument } = this.head(name);
    if (major !== MAJOR.uint && major !== MAJOR.negative) throw this.wrong(name, 'is not a CBOR int');
    if (argument >= 1n << 63n) throw this.wrong(name, 'does not fit 64 bits');
    return major === MAJOR.negative ? -1n - argument : argument;
  }

  /** A byte string of at most so many bytes. */
  bytes(name: string, most = Number.MAX_SAFE_INTEGER): Uint8Array {
    const length = this.argument(name, 'bytes');
    if (length > most) throw this.wrong(name, `has ${length} bytes; the limit is ${most}`);
    return this.take(name, length);
  }

  /** A byte string of one length. */
  exactly(name: string, size: number): Uint8Array {
    const length = this.argument(name, 'bytes');
    if (length !== BigInt(size)) throw this.wrong(name, `has ${length} bytes, not ${size}`);
    return this.take(name, length);
  }

  /**
   * A text string of UTF-8.
   * @param most - bytes
   */
  text(name: string, most: number): string {
    const length = this.argument(name, 'text');
    if (length > most) throw this.wrong(name, `has ${length} bytes; the limit is ${most}`);
    const content = this.take(name, length);
    if (!isUtf8(content)) throw this.wrong(name, 'is not UTF-8');
    return Buffer.from(content).toString('utf8');
  }

  /**
   * Enters an array.
   * @returns how many items follow
   */
  array(name: string, most: number): number {
    return this.count(name, 'array', most);
  }

  /**
   * Enters a map.
   * @returns how many pairs follow; whether their keys differ is for the caller to check
   */
  map(name: string, most: number): number {
    return this.count(name, 'map', most);
  }

  list<T>(name: string, most: number, read: () => T): T[] {
    const length = this.array(name, most);
    const items: T[] = [];
    while (items.length < length) items.push(read());
    return items;
  }

  private count(name: string, type: 'array' | 'map', most: number): number {
    const length = this.argument(name, type);
    if (length > most) throw this.wrong(name, `has more than ${most} entries`);
    return Number(length);
  }

  private argument(name: string, type: keyof typeof MAJOR): bigint {
    const { major, argument } = this.head(name);
    if (major !== MAJOR[type]) throw this.wrong(name, `is not a CBOR ${type}`);
    return argument;
  }

  private head(name: string): { readonly major: number; readonly argument: bigint } {
    const first = this.encoded[this.at];
    if (first === undefined) throw this.wrong(name, 'is missing');
    const [major, short] = [first >> 5, first & 31];
    if (short > 27) throw this.wrong(name, 'is not a CBOR item of a definite length');
    const size = short < 24 ? 0 : 1 << (short - 24);
    if (this.left < 1 + size) throw this.wrong(name, 'is cut short');
    const argument = size === 0 ? BigInt(short) : this.unsigned(this.at + 1, size);
    if (this.options.canonical && size > 0 && argument < leastOf(size))
      throw this.wrong(name, 'is not in its shortest encoding');
    this.at += 1 + size;
    return { major, argument };
  }

  private take(name: string, length: bigint): Uint8Array {
    if (length > this.left) throw this.wrong(name, 'is cut short');
    const from = this.at;
    this.at += Number(length);
    return Uint8Array.from(this.encoded.subarray(from, this.at));
  }

  private unsigned(at: number, size: number): bigint {
    if (size === 8) return this.view.getBigUint64(at);
    if (size === 4) return BigInt(this.view.getUint32(at));
    return BigInt(size === 2 ? this.view.getUint16(at) : this.view.getUint8(at));
  }

  private wrong(name: string, problem: string): Error {
    return this.options.fault(`${name} ${problem}`, name);
  }
}

/** The least argument that needs so many bytes. */
function leastOf(size: number): bigint {
  return size === 1 ? 24n : 1n << BigInt(4 * size);
}
