import { CircuitError } from './circuit-cache.js';

/** An answer is a proof, a key or the source of a verifier: less than a megabyte. */
const MAX_BYTES = 64 * 2 ** 20;
const LENGTH_BYTES = 4;

/** A message as `bb` reads and writes it: its length in four bytes, little-endian, and its bytes. */
export function frameOf(message: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(message.length);
  return Buffer.concat([length, message]);
}

/** Makes messages of what comes in chunks of any size. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  /** Of the message that is coming, with its length; of the length alone until that is there. */
  private wanted = LENGTH_BYTES;
  private isLengthKnown = false;

  constructor(private readonly onMessage: (message: Uint8Array) => void) {}

  /** @throws CircuitError for a message longer than any that there is */
  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.held += chunk.length;
    while (this.held >= this.wanted) this.takeWanted();
  }

  private takeWanted(): void {
    const all = Buffer.concat(this.chunks, this.held);
    if (this.isLengthKnown) {
      this.onMessage(new Uint8Array(all.subarray(LENGTH_BYTES, this.wanted)));
      this.rest(all.subarray(this.wanted));
      this.wanted = LENGTH_BYTES;
    } else {
      const length = all.readUInt32LE(0);
      if (length > MAX_BYTES) throw new CircuitError(`bb announces an answer of ${length} bytes`);
      this.rest(all);
      this.wanted = LENGTH_BYTES + length;
    }
    this.isLengthKnown = !this.isLengthKnown;
  }

  private rest(bytes: Buffer): void {
    this.chunks = bytes.length === 0 ? [] : [bytes];
    this.held = bytes.length;
  }
}
