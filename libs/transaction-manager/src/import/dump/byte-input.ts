/** Bytes of a file in the order they come, of which only a chunk is in memory. */
export class ByteInput {
  private rest: Buffer = Buffer.alloc(0);
  private taken = 0;
  private readonly chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes before the next one. */
  get position(): number {
    return this.taken;
  }

  /** The next bytes, as many as there are in memory. */
  get buffered(): Buffer {
    return this.rest;
  }

  /**
   * Reads on until that many bytes are buffered.
   * @param count - small
   * @returns false when the file ends before
   */
  async has(count: number): Promise<boolean> {
    while (this.rest.length < count) {
      const next = await this.chunks.next();
      if (next.done === true) return false;
      const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    }
    return true;
  }

  /** Goes past buffered bytes. */
  skip(count: number): void {
    this.rest = this.rest.subarray(count);
    this.taken += count;
  }
}
