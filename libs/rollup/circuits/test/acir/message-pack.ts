export type Packed =
  null | boolean | number | bigint | string | Uint8Array | readonly Packed[] | ReadonlyMap<Packed, Packed>;

/**
 * Reads MessagePack, value by value, of what a compiler writes: no floating-point and no signed numbers, and no extensions.
 *
 * Source: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export class MessagePackReader {
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    public position = 0,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /**
   * @returns how many values follow
   * @throws TypeError when it is no list
   */
  listLength(): number {
    const type = this.number(1);
    if (type >= 0x90 && type < 0xa0) return type & 0x0f;
    if (type === 0xdc) return this.number(2);
    if (type === 0xdd) return this.number(4);
    throw new TypeError(`no list at byte ${this.position - 1}`);
  }

  value(): Packed {
    const type = this.number(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.map(type & 0x0f);
    if (type < 0xa0) return this.list(type & 0x0f);
    if (type < 0xc0) return this.text(type & 0x1f);
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xcf:
        return this.bigNumber();
      default:
        return this.sized(type);
    }
  }

  /** What has its length, or is a number of, 1, 2 or 4 bytes. */
  private sized(type: number): Packed {
    const families: readonly (readonly [
      first: number,
      sizes: readonly number[],
      read: (n: number) => Packed,
    ])[] = [
      [0xc4, [1, 2, 4], (length) => this.take(length)],
      [0xcc, [1, 2, 4], (number) => number],
      [0xd9, [1, 2, 4], (length) => this.text(length)],
      [0xdc, [2, 4], (length) => this.list(length)],
      [0xde, [2, 4], (length) => this.map(length)],
    ];
    for (const [first, sizes, read] of families) {
      const size = sizes[type - first];
      if (size !== undefined) return read(this.number(size));
    }
    throw new TypeError(`a value of type ${type} at byte ${this.position - 1}`);
  }

  private number(size: number): number {
    const at = this.position;
    this.position += size;
    if (size === 1) return this.view.getUint8(at);
    return size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  private bigNumber(): bigint {
    this.position += 8;
    return this.view.getBigUint64(this.position - 8);
  }

  private list(length: number): Packed[] {
    return Array.from({ length }, () => this.value());
  }

  private map(length: number): ReadonlyMap<Packed, Packed> {
    return new Map(Array.from({ length }, () => [this.value(), this.value()] as const));
  }

  private text(length: number): string {
    return new TextDecoder().decode(this.take(length));
  }

  private take(length: number): Uint8Array {
    if (this.position + length > this.bytes.length) throw new TypeError('the bytes end within a value');
    this.position += length;
    return this.bytes.subarray(this.position - length, this.position);
  }
}
