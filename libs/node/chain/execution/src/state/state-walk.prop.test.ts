import { describe, expect, it } from '@jest/globals';
import { addressFromBytes, hashFromBytes, hexFromBytes, silentMetrics, type Hash } from '@tetrad/types';
import fc from 'fast-check';
import { WorldEditor } from '../testing/edit-world.js';
import { MemoryState } from '../testing/memory-state.js';
import { flatEntries } from './flat-state.js';
import { StateDatabase } from './state-database.js';
import { StateWalk } from './state-walk.js';
import { EMPTY_TRIE_ROOT } from './trie.js';

/** Slots of accounts that a block sets, by their numbers. */
type Accounts = readonly (readonly [account: number, slots: readonly number[]])[];

const accounts = fc.array(fc.tuple(fc.nat(60), fc.uniqueArray(fc.nat(40), { maxLength: 30 })), {
  maxLength: 25,
});

/** Steps of a walk until it is begun again at its cursor: more than these tries are deep, so that it gets on. */
const part = fc.record({ steps: fc.integer({ min: 12, max: 30 }), most: fc.integer({ min: 1, max: 9 }) });
type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;

async function storeBlock(memory: MemoryState, root: Hash, block: Accounts): Promise<Hash> {
  const world = await memory.database.openWorld(root);
  const editor = new WorldEditor(world);
  for (const [id, slots] of block) {
    const address = addressFromBytes(new Uint8Array(20).fill(id + 1));
    await editor.putAccount(address, 1n, BigInt(slots.length));
    for (const slot of slots)
      await editor.putSlot(address, new Uint8Array(32).fill(slot + 1), Uint8Array.of(slot + block.length));
  }
  editor.end();
  return memory.store(await world.commitBlock());
}

/** The nodes that reading all of a state asks for. */
async function nodesOf(memory: MemoryState, root: Hash): Promise<Set<string>> {
  const read = new Set<string>();
  const source = {
    findNode: (hash: Uint8Array) => (read.add(hexFromBytes(hash)), memory.findNode(hash)),
    findCode: (hash: Uint8Array) => memory.findCode(hash),
    findPreimage: (hash: Uint8Array) => memory.findPreimage(hash),
  };
  const database = new StateDatabase({ source, flat: memory.flat, metrics: silentMetrics });
  for await (const entry of flatEntries(await database.openWorld(root))) void entry;
  return read;
}

/** The nodes that walks visit, each begun where the one before ended. */
async function visited(memory: MemoryState, root: Hash, parts: readonly Part[]): Promise<Set<string>> {
  const seen = new Set<string>();
  let cursor: Uint8Array | undefined = new Uint8Array(0);
  for (let at = 0; cursor !== undefined; at += 1) {
    const { steps, most } = parts[at % parts.length] as Part;
    const walk = new StateWalk(root, cursor);
    for (let step = 0; step < steps && walk.cursor !== undefined; step += 1) {
      const hashes = walk.next(most);
      for (const hash of hashes) seen.add(hexFromBytes(hash));
      walk.take(await Promise.all(hashes.map(async (hash) => (await memory.findNode(hash)) as Uint8Array)));
      const next = walk.cursor;
      // What was visited stays visited, wherever the process ends.
      expect(next === undefined || Buffer.compare(next, cursor) >= 0).toBe(true);
    }
    cursor = walk.cursor;
  }
  return seen;
}

describe('StateWalk', () => {
  it('visits all nodes of a state and no others, also when it is begun again at its cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(accounts, { minLength: 1, maxLength: 3 }),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        async (blocks, parts) => {
          const memory = new MemoryState();
          let root = hashFromBytes(EMPTY_TRIE_ROOT);
          for (const block of blocks) root = await storeBlock(memory, root, block);
          expect([...(await visited(memory, root, parts))].sort()).toEqual(
            [...(await nodesOf(memory, root))].sort(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of an empty state is over at once', () => {
    const walk = new StateWalk(hashFromBytes(EMPTY_TRIE_ROOT));
    expect([walk.cursor, walk.next(5)]).toEqual([undefined, []]);
  });
});
