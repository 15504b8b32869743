import { MAX_REQUESTED_CONTENTS, type ContentKind } from '@tetrad/node-peer';
import { LRUCache } from 'lru-cache';
import { runAtOnce } from './run-at-once.js';
import type { SourcePool } from './source-pool.js';

/** Preimages that are remembered: slots have the same numbers in many contracts. */
const REMEMBERED = 65_536;

/** Downloads contents by their hash, each from any peer. */
export class Contents {
  private readonly preimages: LRUCache<string, Uint8Array>;

  /**
   * @param block - of the state that has them
   * @param remembered - preimages that are not asked for again
   */
  constructor(
    private readonly pool: SourcePool,
    private readonly block: number,
    remembered = REMEMBERED,
  ) {
    this.preimages = new LRUCache({ max: remembered });
  }

  /**
   * All contents, by the hex of their hash.
   * @throws TargetLostError when no peer has one of them
   */
  async fetch(what: ContentKind, hashes: readonly Uint8Array[]): Promise<Map<string, Uint8Array>> {
    const wanted = new Map(hashes.map((hash) => [keyOf(hash), hash]));
    const parts: Uint8Array[][] = [];
    const all = [...wanted.values()];
    for (let from = 0; from < all.length; from += MAX_REQUESTED_CONTENTS)
      parts.push(all.slice(from, from + MAX_REQUESTED_CONTENTS));
    const found = new Map<string, Uint8Array>();
    const work = async () => {
      for (let part = parts.pop(); part !== undefined; part = parts.pop())
        await this.fetchPart(what, part, found);
    };
    await runAtOnce(Math.min(this.pool.width, parts.length), work);
    return found;
  }

  /**
   * The addresses and slots of hashed keys, by the hex of the key.
   * @throws as `fetch`
   */
  async fetchPreimages(hashes: readonly Uint8Array[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const wanted = hashes.filter((hash) => {
      const known = this.preimages.get(keyOf(hash));
      if (known !== undefined) found.set(keyOf(hash), known);
      return known === undefined;
    });
    for (const [key, preimage] of await this.fetch('preimage', wanted)) {
      this.preimages.set(key, preimage);
      found.set(key, preimage);
    }
    return found;
  }

  private async fetchPart(
    what: ContentKind,
    hashes: readonly Uint8Array[],
    found: Map<string, Uint8Array>,
  ): Promise<void> {
    let left = hashes;
    while (left.length > 0) {
      const asked = left;
      const received = await this.pool.run(this.block, (source) => source.contents(what, asked));
      for (const { hash, encoded } of received) found.set(keyOf(hash), encoded);
      left = left.filter((hash) => !found.has(keyOf(hash)));
    }
  }
}

/** Hex of a hash, as a key of maps. */
export function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');
}
