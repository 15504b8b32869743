import { MalformedPayloadError } from './encoded-payload.js';

/** Bytes of a length or count. */
const LENGTH_BYTES = 8;

/**
 * Reads what managers write one after another: lengths and counts of 8 bytes, big-endian, and fields after their
 * length. Nothing is made room for before the bytes are seen to be there.
 */
export class FieldReader {
  private offset = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.offset === this.bytes.length;
  }

  /**
   * A length (8) and as many bytes.
   * @param size - how many they must be, if it is known
   */
  field(name: string, size?: number): Uint8Array {
    const length = this.number(name);
    if (size !== undefined && length !== size)
      throw new MalformedPayloadError(`${name} has ${length} bytes, not ${size}`);
    if (length > this.bytes.length - this.offset)
      throw new MalformedPayloadError(`${name} ends after the message`);
    return this.bytes.subarray(this.offset, (this.offset += length));
  }

  /**
   * A count (8) and as many items, each read by `read`.
   * @throws MalformedPayloadError for more than `most`
   */
  list<T>(name: string, most: number, read: () => T): T[] {
    const count = this.number(name);
    if (count > most) throw new MalformedPayloadError(`${name} has ${count} entries; the limit is ${most}`);
    const items: T[] = [];
    while (items.length < count) items.push(read());
    return items;
  }

  /** @throws MalformedPayloadError when there are bytes left */
  end(): void {
    if (!this.atEnd) throw new MalformedPayloadError('trailing bytes after the message');
  }

  private number(name: string): number {
    if (this.bytes.length - this.offset < LENGTH_BYTES) throw new MalformedPayloadError(`${name} is missing`);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.offset, LENGTH_BYTES);
    this.offset += LENGTH_BYTES;
    const value = view.getBigUint64(0);
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new MalformedPayloadError(`the length of ${name} is out of range`);
    return Number(value);
  }
}
