import { asBuffer } from '@tetrad/db';
import { LRUCache } from 'lru-cache';

/** Bytes that remembered payloads may have together, and how many there may be. */
const MAX_BYTES = 8 * 1_048_576;
const MAX_COUNT = 4_096;

/** The newest payloads of a store, by hash, from which they follow: the oldest are forgotten first. */
export class RecentPayloads<Payload extends NonNullable<unknown>> {
  /** By hash, as text of one character a byte. */
  private readonly remembered = new LRUCache<string, Payload>({
    max: MAX_COUNT,
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES / 8,
  });

  /** @param bytes - what the payload takes; one that is larger than an eighth of the bound is not remembered */
  add(hash: Uint8Array, payload: Payload, bytes: number): void {
    this.remembered.set(nameOf(hash), payload, { size: bytes });
  }

  find(hash: Uint8Array): Payload | undefined {
    return this.remembered.peek(nameOf(hash));
  }

  /** The payload, which is forgotten. */
  take(hash: Uint8Array): Payload | undefined {
    const name = nameOf(hash);
    const found = this.remembered.peek(name);
    this.remembered.delete(name);
    return found;
  }
}

function nameOf(hash: Uint8Array): string {
  return asBuffer(hash).toString('latin1');
}
