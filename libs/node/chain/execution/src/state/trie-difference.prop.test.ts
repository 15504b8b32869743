import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { TrieStore, trieChanges } from '../../test/trie-store.js';
import { trieDifference } from './trie-difference.js';
import { EMPTY_TRIE_ROOT, MissingTrieNodeError } from './trie.js';

const ALL = { entries: Infinity, places: Infinity };

const batch = trieChanges(40);

async function differenceOf(store: TrieStore, older: Uint8Array, newer: Uint8Array, bounds = ALL) {
  const entries = await trieDifference(store.open(older), store.open(newer), bounds);
  return entries?.map(({ key, value }) => [hexFromBytes(key), hexFromBytes(value)] as const);
}

/** A trie of so many entries, and the same with one more. */
async function withOneMore(entries: number) {
  const store = new TrieStore();
  const one = (n: number) => [keccak256(Uint8Array.of(n >> 8, n & 255)), new Uint8Array(40).fill(1)] as const;
  const older = await store.change(
    EMPTY_TRIE_ROOT,
    Array.from({ length: entries }, (_, n) => one(n)),
  );
  const newer = await store.change(older, [one(entries)]);
  store.read.clear();
  return { store, older, newer };
}

describe('the difference of two tries', () => {
  it('has the entries that are new or have another value, in key order', async () => {
    await fc.assert(
      fc.asyncProperty(batch, batch, async (first, second) => {
        const store = new TrieStore();
        const older = await store.change(EMPTY_TRIE_ROOT, first);
        const newer = await store.change(older, second);
        const before = await store.list(older);
        const after = [...(await store.list(newer))];
        expect(await differenceOf(store, older, newer)).toEqual(
          after.filter(([key, value]) => before.get(key) !== value),
        );
        // What was removed is not among them.
        expect(await differenceOf(store, newer, EMPTY_TRIE_ROOT)).toEqual([]);
        expect(await differenceOf(store, EMPTY_TRIE_ROOT, newer)).toEqual(after);
      }),
      { numRuns: 200 },
    );
  });

  it('reads the paths to entries that differ alone, and gives way', async () => {
    const { store, older, newer } = await withOneMore(2_000);
    let pieces = 0;
    const giveWay = async () => void (pieces += 1);
    expect(await differenceOf(store, older, newer, { ...ALL, giveWay } as typeof ALL)).toHaveLength(1);
    expect(store.read.size).toBeLessThan(15);
    expect(pieces).toBeGreaterThan(1);
    expect(await differenceOf(store, newer, newer)).toEqual([]);
  });

  it('is bounded in entries and in work', async () => {
    const { store, newer } = await withOneMore(2_000);
    const from = (bounds: typeof ALL) => differenceOf(store, EMPTY_TRIE_ROOT, newer, bounds);
    expect(await from({ entries: 2_001, places: Infinity })).toHaveLength(2_001);
    expect(await from({ entries: 2_000, places: Infinity })).toBeUndefined();
    store.read.clear();
    expect(await from({ entries: Infinity, places: 500 })).toBeUndefined();
    expect(store.read.size).toBeLessThan(1_000);
  });

  it('of a trie that is not stored fails', async () => {
    const { store, older, newer } = await withOneMore(20);
    store.forget();
    await expect(differenceOf(store, older, newer)).rejects.toThrow(MissingTrieNodeError);
  });
});
