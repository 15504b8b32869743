import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { orderedTrieRoot } from './ordered-root.js';
import { EMPTY_TRIE_ROOT, MissingTrieNodeError, Trie } from './trie.js';

/** Few distinct first bytes, so that paths share prefixes of every length. */
const key = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 200 }))
  .map(([family, member]) => {
    const bytes = keccak256(Uint8Array.of(member));
    bytes.fill(family, 0, member % 31);
    return bytes;
  });
const change = fc.record({
  key,
  value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 60 }), { freq: 3 }),
});

async function apply(
  trie: Trie,
  oracle: MerklePatriciaTrie,
  changes: readonly { key: Uint8Array; value: Uint8Array | null }[],
) {
  for (const { key, value } of changes) {
    if (value === null) await trie.delete(key);
    else await trie.put(key, value);
    if (value === null) await oracle.del(key);
    else await oracle.put(key, value);
  }
}

describe('Trie', () => {
  it('has the root that the EthereumJS trie has, over batches that are committed and read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 25 }), { maxLength: 5 }), async (batches) => {
        const stored = new Map<string, Uint8Array>();
        const read = async (hash: Uint8Array) => stored.get(hexFromBytes(hash));
        const oracle = new MerklePatriciaTrie();
        let root = EMPTY_TRIE_ROOT;
        for (const batch of batches) {
          const trie = new Trie(root, read);
          await apply(trie, oracle, batch);
          root = trie.commit((hash, encoded) => stored.set(hexFromBytes(hash), encoded));
          expect(hexFromBytes(root)).toBe(hexFromBytes(oracle.root()));
        }
        const trie = new Trie(root, read);
        for (const { key } of batches.flat()) {
          expect((await trie.get(key)) ?? null).toEqual(await oracle.get(key));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('lists what was put, in key order', async () => {
    const trie = new Trie(EMPTY_TRIE_ROOT, async () => undefined);
    const keys = [5, 1, 3].map((n) => keccak256(Uint8Array.of(n)));
    for (const [index, entry] of keys.entries()) await trie.put(entry, Uint8Array.of(index + 1));
    const listed: string[] = [];
    for await (const entry of trie.entries()) listed.push(hexFromBytes(entry.key));
    expect((await trie.readAll(keys.length))?.map(({ key }) => hexFromBytes(key))).toEqual(listed);
    expect(await trie.readAll(keys.length - 1)).toBeUndefined();
    expect(listed).toEqual(keys.map((entry) => hexFromBytes(entry)).sort());
  });

  it('lists from any key on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(key, { maxLength: 30 }),
        fc.uint8Array({ maxLength: 32 }),
        fc.option(fc.nat()),
        async (keys, anywhere, member) => {
          const trie = new Trie(EMPTY_TRIE_ROOT, async () => undefined);
          for (const entry of keys) await trie.put(entry, Uint8Array.of(1));
          const from = member === null ? anywhere : (keys[member % keys.length] ?? anywhere);
          const listed: string[] = [];
          for await (const entry of trie.entries(from)) listed.push(hexFromBytes(entry.key));
          const all = [...new Set(keys.map((entry) => hexFromBytes(entry)))].sort();
          expect(listed).toEqual(all.filter((entry) => entry >= hexFromBytes(from)));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reports the missing node', async () => {
    const trie = new Trie(keccak256(Uint8Array.of(1)), async () => undefined);
    await expect(trie.get(keccak256(Uint8Array.of(2)))).rejects.toThrow(MissingTrieNodeError);
  });
});

describe('orderedTrieRoot', () => {
  it('is the empty root without items', () => {
    expect(orderedTrieRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  });

  it.each([1, 2, 127, 128, 129, 256, 257, 300])(
    'agrees with the EthereumJS trie for %d items',
    async (count) => {
      const { RLP } = await import('@ethereumjs/rlp');
      // Of one byte too, so that nodes are shorter than a hash.
      const items = Array.from({ length: count }, (_, index) =>
        keccak256(Uint8Array.of(index & 255, index >> 8)).subarray(0, 1 + (index % 32)),
      );
      const oracle = new MerklePatriciaTrie();
      for (const [index, item] of items.entries()) await oracle.put(RLP.encode(index), item);
      expect(orderedTrieRoot(items)).toBe(hexFromBytes(oracle.root()));
    },
  );

  it('agrees with the EthereumJS trie for any items, one list after the other', async () => {
    const { RLP } = await import('@ethereumjs/rlp');
    const size = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 600 }) }, fc.constant(70_000));
    const lists = fc.array(fc.tuple(size, fc.nat(255)), { minLength: 1, maxLength: 140 });
    await fc.assert(
      fc.asyncProperty(lists, async (sizes) => {
        const items = sizes.map(([length, byte]) => new Uint8Array(length).fill(byte));
        const oracle = new MerklePatriciaTrie();
        for (const [index, item] of items.entries()) await oracle.put(RLP.encode(index), item);
        expect(orderedTrieRoot(items)).toBe(hexFromBytes(oracle.root()));
      }),
      { numRuns: 40 },
    );
  });
});
