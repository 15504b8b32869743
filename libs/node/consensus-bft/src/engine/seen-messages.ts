import { keccakHash } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';

/** More than the messages of a height in a network of 100 validators and some rounds. */
const MAX_SEEN = 4_096;

/** Which messages came already; the oldest are forgotten. */
export class SeenMessages {
  private readonly hashes = new Set<Hash>();

  /** What the message is known by here. */
  idOf(bytes: Uint8Array): Hash {
    return keccakHash(bytes);
  }

  has(id: Hash): boolean {
    return this.hashes.has(id);
  }

  add(id: Hash): void {
    this.hashes.add(id);
    if (this.hashes.size <= MAX_SEEN) return;
    for (const oldest of this.hashes) {
      this.hashes.delete(oldest);
      return;
    }
  }

  /** With a new height the same bytes may be of use that were too early before. */
  clear(): void {
    this.hashes.clear();
  }
}
