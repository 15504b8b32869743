/** Writes what `FieldReader` reads. */
export class FieldWriter {
  private readonly parts: Uint8Array[] = [];

  /** length (8) | bytes */
  field(bytes: Uint8Array): this {
    this.parts.push(lengthBytes(bytes.length), bytes);
    return this;
  }

  /** count (8) | what `write` writes of each item */
  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.parts.push(lengthBytes(items.length));
    for (const item of items) write(item);
    return this;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.parts);
  }
}

function lengthBytes(length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
