import { addressFromBytes, hashFromBytes, scalarFromBytes, type Address, type Hash } from '@tetrad/types';
import { readRlpItem, type RlpItem, RlpError } from './read-rlp.js';

/** Creates the reader's error; the message names the list, the field and the problem. */
export type RlpFault = (message: string) => Error;

/**
 * Reads the fields of an RLP list one after the other, each with its expected type. A list is opened only where one is
 * expected and each byte is visited once for each list around it, so that depth and work are bounded by the expected
 * shape, never by the bytes. The results are views: `copyOf` those that are retained.
 * @throws every method with the error that the reader supplies
 */
export class RlpFields {
  private offset = 0;

  private constructor(
    /** The list with its prefix. */
    readonly encoded: Uint8Array,
    private readonly content: Uint8Array,
    private readonly name: string,
    private readonly fault: RlpFault,
  ) {}

  /**
   * The fields of the one list that the bytes are.
   * @param name - of the list, for errors
   */
  static of(bytes: Uint8Array, name: string, fault: RlpFault): RlpFields {
    // Views of a plain array are made several times faster than those of a Buffer.
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const outer = new RlpFields(plain, plain, name, fault);
    const list = outer.list(name);
    if (!outer.isDone) throw fault(`${name}: trailing bytes`);
    return list;
  }

  /** Whether every field was taken; at the beginning, whether the list is empty. */
  get isDone(): boolean {
    return this.offset === this.content.length;
  }

  /** The encodings of the fields that were taken, one after the other. */
  get taken(): Uint8Array {
    return this.content.subarray(0, this.offset);
  }

  /** A byte string of at most so many bytes. */
  bytes(field: string, most: number): Uint8Array {
    const { isList, content } = this.next(field);
    if (isList) throw this.wrong(field, 'expected bytes, found a list');
    if (content.length > most) throw this.wrong(field, `more than ${most} bytes`);
    return content;
  }

  /** A byte string of one of the lengths. */
  exactly(field: string, ...lengths: readonly number[]): Uint8Array {
    const bytes = this.bytes(field, Math.max(...lengths));
    if (!lengths.includes(bytes.length)) throw this.wrong(field, `not ${lengths.join(' or ')} bytes`);
    return bytes;
  }

  hash(field: string): Hash {
    return hashFromBytes(this.exactly(field, 32));
  }

  address(field: string): Address {
    return addressFromBytes(this.exactly(field, 20));
  }

  /** An unsigned integer, big-endian without leading zeros. */
  scalar(field: string, maxBytes = 32): bigint {
    const bytes = this.bytes(field, maxBytes);
    if (bytes[0] === 0) throw this.wrong(field, 'leading zeros');
    return scalarFromBytes(bytes);
  }

  /** A scalar that a number holds, at most `most`. */
  count(field: string, most: number = Number.MAX_SAFE_INTEGER): number {
    const scalar = this.scalar(field, 7);
    if (scalar > BigInt(most)) throw this.wrong(field, `above ${most}`);
    return Number(scalar);
  }

  /** Printable ASCII. */
  text(field: string, most: number): string {
    const text = Buffer.from(this.bytes(field, most)).toString('latin1');
    if (!/^[\x20-\x7e]*$/.test(text)) throw this.wrong(field, 'not printable ASCII');
    return text;
  }

  list(field: string): RlpFields {
    const start = this.offset;
    const { isList, content, end } = this.next(field);
    if (!isList) throw this.wrong(field, 'expected a list, found bytes');
    return new RlpFields(this.content.subarray(start, end), content, field, this.fault);
  }

  /**
   * Takes everything that is left by repeating the same.
   * @param most - how often
   */
  repeated<T>(most: number, read: (fields: this) => T): T[] {
    const entries: T[] = [];
    while (!this.isDone) {
      if (entries.length === most) throw this.fault(`${this.name}: more than ${most} items`);
      entries.push(read(this));
    }
    return entries;
  }

  /** Leaves out a field, whatever it is. */
  skip(field: string): void {
    this.next(field);
  }

  /** Fails when a field is left. */
  end(): void {
    if (!this.isDone) throw this.fault(`${this.name}: too many fields`);
  }

  private next(field: string): RlpItem {
    if (this.isDone) throw this.wrong(field, 'missing');
    try {
      const item = readRlpItem(this.content, this.offset);
      this.offset = item.end;
      return item;
    } catch (error) {
      if (error instanceof RlpError) throw this.wrong(field, error.message);
      throw error;
    }
  }

  private wrong(field: string, problem: string): Error {
    return this.fault(field === this.name ? `${field}: ${problem}` : `${this.name}: ${field}: ${problem}`);
  }
}
