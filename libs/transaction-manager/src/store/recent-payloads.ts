import { asBuffer } from '@tetrad/db';

/** Bytes that remembered payloads may have together, and how many there may be. */
const MAX_BYTES = 8 * 1_048_576;
const MAX_COUNT = 4_096;

interface Remembered<Payload> {
  readonly payload: Payload;
  readonly bytes: number;
}

/** The newest payloads of a store, by hash, from which they follow: the oldest are forgotten first. */
export class RecentPayloads<Payload> {
  /** By hash, as text of one character a byte. */
  private readonly remembered = new Map<string, Remembered<Payload>>();
  private bytes = 0;

  /** In: bytes — what the payload takes; one that is larger than an eighth of the bound is not remembered */
  add(hash: Uint8Array, payload: Payload, bytes: number): void {
    const name = nameOf(hash);
    if (bytes > MAX_BYTES / 8 || this.remembered.has(name)) return;
    this.remembered.set(name, { payload, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.remembered) {
      if (this.bytes <= MAX_BYTES && this.remembered.size <= MAX_COUNT) return;
      this.remembered.delete(oldest);
      this.bytes -= freed;
    }
  }

  find(hash: Uint8Array): Payload | undefined {
    return this.remembered.get(nameOf(hash))?.payload;
  }
}

function nameOf(hash: Uint8Array): string {
  return asBuffer(hash).toString('latin1');
}
