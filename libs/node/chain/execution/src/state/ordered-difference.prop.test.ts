import { expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { TrieStore, trieChanges, trieKey as key } from '../../test/trie-store.js';
import { orderedDifference, type EntryDifference } from './ordered-difference.js';
import { EMPTY_TRIE_ROOT } from './trie.js';

const changes = trieChanges(60);

const shown = (value: Uint8Array | undefined) => value && hexFromBytes(value);

it('the ordered difference of two tries has all that differs in the range, and what was removed', async () => {
  const property = fc.asyncProperty(
    changes,
    changes,
    key,
    fc.option(key),
    async (first, second, from, to) => {
      const store = new TrieStore();
      const older = await store.change(EMPTY_TRIE_ROOT, first);
      const newer = await store.change(older, second);
      const end = to ?? undefined;
      const found: EntryDifference[] = [];
      for await (const some of orderedDifference(store.open(older), store.open(newer), { from, end }))
        found.push(...some);
      const [before, after] = [await store.list(older), await store.list(newer)];
      const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
      const isWithin = (at: string) =>
        at >= hexFromBytes(from) && (end === undefined || at < hexFromBytes(end));
      expect(found.map((one) => [hexFromBytes(one.key), shown(one.older), shown(one.newer)])).toEqual(
        keys
          .filter((at) => isWithin(at) && before.get(at) !== after.get(at))
          .map((at) => [at, before.get(at), after.get(at)]),
      );
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

it('the ordered difference reads the paths to what differs, and nothing outside of the range', async () => {
  const store = new TrieStore();
  const one = (n: number) => [keccak256(Uint8Array.of(n >> 8, n & 255)), new Uint8Array(40).fill(1)] as const;
  const all = Array.from({ length: 2_000 }, (_, n) => one(n));
  const older = await store.change(EMPTY_TRIE_ROOT, all);
  const newer = await store.change(older, [one(2_000)]);
  store.read.clear();
  const [added] = one(2_000);
  const none = { from: new Uint8Array(32), end: undefined };
  for await (const some of orderedDifference(store.open(older), store.open(newer), none))
    expect(some.map((entry) => entry.key)).toEqual([added]);
  expect(store.read.size).toBeLessThan(14);
  const behind = new Uint8Array(32).fill(0xff);
  store.read.clear();
  for await (const some of orderedDifference(store.open(older), store.open(newer), { ...none, from: behind }))
    expect(some).toEqual([]);
  // Both tops.
  expect(store.read.size).toBe(2);
});
