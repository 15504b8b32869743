import { WireError } from '../wire/wire-fields.js';
import { LENGTH_BYTES } from './stream-record.js';

/**
 * Cuts the bytes of a stream into records. Holds one record at most, in memory of its declared length, and copies every
 * byte once, however small the pieces are in which they arrive.
 */
export class RecordReader {
  private readonly head = Buffer.alloc(LENGTH_BYTES);
  private headBytes = 0;
  private record: Buffer | undefined;
  private recordBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Whether a record has begun that is not whole. */
  get isWithin(): boolean {
    return this.headBytes > 0;
  }

  /**
   * @returns the records that the chunk completes, without their lengths
   * @throws WireError for one that is too long
   */
  *take(chunk: Buffer): Generator<Buffer> {
    for (let place = 0; place < chunk.length;) {
      place += this.takeSome(chunk, place);
      const whole = this.whole();
      if (whole !== undefined) yield whole;
    }
  }

  /** @returns bytes taken, one at least */
  private takeSome(chunk: Buffer, place: number): number {
    if (this.record === undefined) {
      const taken = chunk.copy(this.head, this.headBytes, place);
      this.headBytes += taken;
      if (this.headBytes === LENGTH_BYTES) this.record = Buffer.allocUnsafe(this.declaredLength());
      return taken;
    }
    const taken = chunk.copy(this.record, this.recordBytes, place);
    this.recordBytes += taken;
    return taken;
  }

  private whole(): Buffer | undefined {
    const { record } = this;
    if (record === undefined || this.recordBytes < record.length) return undefined;
    this.record = undefined;
    this.headBytes = 0;
    this.recordBytes = 0;
    return record;
  }

  private declaredLength(): number {
    const length = this.head.readUInt32BE(0);
    if (length > this.maxBytes) throw new WireError('a record of a stream is too long');
    return length;
  }
}
