import type { Hash } from '@tetrad/types';
import { LRUCache } from 'lru-cache';

/** Hashes that a peer is known to have; when there are too many, the most recently used ones. */
export class KnownHashes {
  private readonly hashes: LRUCache<Hash, true>;

  constructor(most: number) {
    // Each counts as one: with `max` the cache would allocate its bound when it is made, for each peer.
    this.hashes = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  has(hash: Hash): boolean {
    return this.hashes.has(hash);
  }

  add(hash: Hash): void {
    this.hashes.set(hash, true);
  }

  get size(): number {
    return this.hashes.size;
  }
}
