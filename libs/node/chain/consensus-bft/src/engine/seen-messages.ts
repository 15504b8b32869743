import { keccakHash } from '@tetrad/crypto';
import { keepNewest, type Clock, type Hash } from '@tetrad/types';

/** More than the messages of a height in a network of 100 validators and some rounds. */
const MAX_SEEN = 4_096;

/** Copies of a message arrive by several ways within this time; a later copy was repeated by its sender. */
const REPEAT_MS = 1_000;

/** Recently received messages; the oldest are forgotten. */
export class SeenMessages {
  private readonly seenAtMs = new Map<Hash, number>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** The id of the message. */
  idOf(bytes: Uint8Array): Hash {
    return keccakHash(bytes);
  }

  has(id: Hash): boolean {
    const atMs = this.seenAtMs.get(id);
    return atMs !== undefined && this.clock.now() - atMs < REPEAT_MS;
  }

  add(id: Hash): void {
    // The newest entries are last.
    this.seenAtMs.delete(id);
    this.seenAtMs.set(id, this.clock.now());
    keepNewest(this.seenAtMs, MAX_SEEN);
  }

  /** At a new height, a message that was too early before may be useful. */
  clear(): void {
    this.seenAtMs.clear();
  }
}
