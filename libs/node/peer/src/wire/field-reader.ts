import { RlpError, readRlpItem, type RlpItem } from '@tetrad/rlp';
import { hashFromBytes, scalarFromBytes, type Hash } from '@tetrad/types';
import { WireError } from './wire-error.js';

/** Takes the fields of an RLP list one after the other; every field says what it may be. */
export class FieldReader {
  private offset = 0;

  private constructor(
    private readonly content: Uint8Array,
    private readonly what: string,
  ) {}

  /** The fields of the one list that the bytes are. Fails: WireError. */
  static of(bytes: Uint8Array, what: string): FieldReader {
    // Views of a plain array are made several times faster than those of a Buffer.
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const outer = new FieldReader(plain, what);
    const list = outer.list('list');
    outer.end();
    return new FieldReader(list.content, what);
  }

  /** Whether every field was taken. */
  get isDone(): boolean {
    return this.offset === this.content.length;
  }

  /** A byte string of at most so many bytes; a view, not a copy. */
  bytes(field: string, most: number): Uint8Array {
    const item = this.next(field);
    if (item.isList || item.content.length > most) throw this.wrong(field);
    return item.content;
  }

  exactly(field: string, length: number): Uint8Array {
    const bytes = this.bytes(field, length);
    if (bytes.length !== length) throw this.wrong(field);
    return bytes;
  }

  hash(field: string): Hash {
    return hashFromBytes(this.exactly(field, 32));
  }

  /** A scalar without leading zeros. */
  scalar(field: string, mostBytes: number): bigint {
    const bytes = this.bytes(field, mostBytes);
    if (bytes[0] === 0) throw this.wrong(field);
    return scalarFromBytes(bytes);
  }

  /** A scalar that a number holds. */
  count(field: string, most: number = Number.MAX_SAFE_INTEGER): number {
    const scalar = this.scalar(field, 7);
    if (scalar > BigInt(most)) throw this.wrong(field);
    return Number(scalar);
  }

  /** Printable ASCII. */
  text(field: string, most: number): string {
    const text = Buffer.from(this.bytes(field, most)).toString('latin1');
    if (!/^[\x20-\x7e]*$/.test(text)) throw this.wrong(field);
    return text;
  }

  list(field: string): FieldReader {
    const item = this.next(field);
    if (!item.isList) throw this.wrong(field);
    return new FieldReader(item.content, this.what);
  }

  /** Fails: WireError when a field is left. */
  end(): void {
    if (!this.isDone) throw new WireError(`${this.what}: too many fields`);
  }

  private next(field: string): RlpItem {
    if (this.isDone) throw this.wrong(field);
    try {
      const item = readRlpItem(this.content, this.offset);
      this.offset = item.end;
      return item;
    } catch (error) {
      if (error instanceof RlpError) throw new WireError(`${this.what}: ${field}: ${error.message}`);
      throw error;
    }
  }

  private wrong(field: string): WireError {
    return new WireError(`${this.what}: ${field}`);
  }
}
