import { Tokenizer, Type, type Token } from 'cborg';
import { MalformedPayloadError } from './encoded-payload.js';

/**
 * Reads CBOR item by item as its caller expects it, so that nothing of a stranger is walked into: depth is that of the
 * caller, and counts are looked at before their items.
 */
export class CborReader {
  private readonly tokens: Tokenizer;

  constructor(bytes: Uint8Array) {
    this.tokens = new Tokenizer(bytes, { allowIndefinite: false, rejectDuplicateMapKeys: true });
  }

  /** Enters a list or map of a definite length. Out: its length. Fails: MalformedPayloadError when that is over `most` */
  open(type: Type, name: string, most: number): number {
    const length: unknown = this.next(type, name).value;
    if (typeof length !== 'number' || !(length <= most))
      throw new MalformedPayloadError(`${name} has more than ${most} entries`);
    return length;
  }

  /** Byte string. In: size — how many bytes it must have, if that is known */
  bytes(name: string, size?: number): Uint8Array {
    const value = this.next(Type.bytes, name).value as Uint8Array;
    if (size !== undefined && value.length !== size)
      throw new MalformedPayloadError(`${name} has ${value.length} bytes, not ${size}`);
    return value;
  }

  text(name: string): string {
    return this.next(Type.string, name).value as string;
  }

  /** Unsigned integer; a bigint when it is past 2^53. */
  integer(name: string): number | bigint {
    return this.next(Type.uint, name).value as number | bigint;
  }

  list<T>(name: string, most: number, read: () => T): T[] {
    const length = this.open(Type.array, name, most);
    const items: T[] = [];
    while (items.length < length) items.push(read());
    return items;
  }

  /** Fails: MalformedPayloadError when there are bytes left */
  end(): void {
    if (!this.tokens.done()) throw new MalformedPayloadError('trailing bytes after the message');
  }

  private next(type: Type, name: string): Token {
    const token = this.token(name);
    if (token.type !== type) throw new MalformedPayloadError(`${name} is not a CBOR ${type.name}`);
    return token;
  }

  private token(name: string): Token {
    if (this.tokens.done()) throw new MalformedPayloadError(`${name} is missing`);
    try {
      return this.tokens.next();
    } catch (error) {
      throw new MalformedPayloadError(`${name}: ${error instanceof Error ? error.message : 'not CBOR'}`);
    }
  }
}
