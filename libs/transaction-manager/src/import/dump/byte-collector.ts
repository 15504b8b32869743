/** Bytes that are put together piece by piece, up to a bound. */
export class ByteCollector {
  private bytes = Buffer.alloc(0);
  private size = 0;

  /**
   * @param most - bytes
   * @param keep - false to count them only
   */
  constructor(
    private readonly most: number,
    private readonly keep = true,
  ) {}

  /** @returns false when the bound is exceeded */
  add(piece: Uint8Array): boolean {
    if (!this.keep) return true;
    if (this.size + piece.length > this.most) return false;
    this.reserve(piece.length);
    this.bytes.set(piece, this.size);
    this.size += piece.length;
    return true;
  }

  /** @returns false when the bound is exceeded */
  addByte(byte: number): boolean {
    if (!this.keep) return true;
    if (this.size === this.most) return false;
    this.reserve(1);
    this.bytes[this.size] = byte;
    this.size += 1;
    return true;
  }

  /** What was added; nothing unless it was to be kept. */
  collected(): Buffer {
    return this.bytes.subarray(0, this.size);
  }

  private reserve(count: number): void {
    const needed = this.size + count;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.most, Math.max(needed, 2 * this.bytes.length, 256)));
    this.bytes.copy(grown, 0, 0, this.size);
    this.bytes = grown;
  }
}
