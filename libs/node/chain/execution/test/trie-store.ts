import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { Trie } from '../src/state/trie.js';

/** Keys with their new values, and null for those that are deleted. */
export type TrieChanges = readonly (readonly [Uint8Array, Uint8Array | null])[];

/** Few distinct first bytes, so that paths share prefixes of every length. */
export const trieKey = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 60 }))
  .map(([family, member]) => keccak256(Uint8Array.of(member)).fill(family, 0, member % 31));

/** Puts of short values, and some deletes. */
export const trieChanges = (maxLength: number) =>
  fc.array(fc.tuple(trieKey, fc.option(fc.uint8Array({ minLength: 1, maxLength: 50 }), { freq: 3 })), {
    maxLength,
  });

/** Tries that share what is stored, and the nodes that were read. */
export class TrieStore {
  readonly read = new Set<string>();
  private readonly nodes = new Map<string, Uint8Array>();

  open(root: Uint8Array): Trie {
    return new Trie(root, async (hash) => {
      this.read.add(hexFromBytes(hash));
      return this.nodes.get(hexFromBytes(hash));
    });
  }

  /** @returns the new root */
  async change(root: Uint8Array, changes: TrieChanges): Promise<Uint8Array> {
    const trie = this.open(root);
    for (const [key, value] of changes) await (value === null ? trie.delete(key) : trie.put(key, value));
    return trie.commit((hash, encoded) => this.nodes.set(hexFromBytes(hash), encoded));
  }

  /** All entries, in the order of keys. */
  async list(root: Uint8Array): Promise<Map<string, string>> {
    const entries = (await this.open(root).readAll(Infinity)) ?? [];
    return new Map(entries.map(({ key, value }) => [hexFromBytes(key), hexFromBytes(value)]));
  }

  forget(): void {
    this.nodes.clear();
  }
}
