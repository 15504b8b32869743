import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { verifyRange } from '@tetrad/node-execution';
import type { StoredBlock } from '@tetrad/node-store';
import { EMPTY_TRIE_ROOT, Trie } from '../../../execution/src/state/trie.js';
import { ServedState } from './served-state.js';

const FIRST = new Uint8Array(32);
const LAST = new Uint8Array(32).fill(0xff);
const HEADER_BYTES = 700;

/** A store with so many blocks, and contents of a kB under the hashes of which the first byte is even. */
function storeOf(blocks: number) {
  const reads = { headers: 0, contents: 0 };
  const find = async (hash: Uint8Array) => {
    reads.contents += 1;
    return (hash[0] as number) % 2 === 0 ? new Uint8Array(1_024) : undefined;
  };
  return {
    reads,
    findNode: find,
    findCode: find,
    findPreimage: find,
    listBlocks: async (from: number, to: number) => {
      const count = Math.max(0, Math.min(to, blocks - 1) - from + 1);
      reads.headers += count;
      return Array.from(
        { length: count },
        (_, index) => ({ number: from + index, header: new Uint8Array(HEADER_BYTES) }) as StoredBlock,
      );
    },
  };
}

/** Entries of a small trie. */
const ENTRIES = 5;

async function smallTries(count: number) {
  const stored = new Map<string, Uint8Array>();
  const tries: Uint8Array[] = [];
  for (let number = 0; number < count; number += 1) {
    const trie = new Trie(EMPTY_TRIE_ROOT, async () => undefined);
    for (let entry = 0; entry < ENTRIES; entry += 1)
      await trie.put(keccak256(Uint8Array.of(number, entry)), Uint8Array.of(1, number, entry));
    tries.push(trie.commit((hash, encoded) => stored.set(Buffer.from(hash).toString('hex'), encoded)));
  }
  return { tries, findNode: async (hash: Uint8Array) => stored.get(Buffer.from(hash).toString('hex')) };
}

describe('headers for peers', () => {
  it.each([
    ['as many as are asked for', 200, 0, 100, 1_000_000, 100],
    ['as many as there are', 20, 15, 100, 1_000_000, 5],
    ['none behind the head', 20, 20, 100, 1_000_000, 0],
    ['none when none are asked for', 20, 0, 0, 1_000_000, 0],
    ['within the budget', 200, 0, 100, 3 * HEADER_BYTES, 3],
    ['one at least', 200, 0, 100, 1, 1],
  ])('are %s', async (_, blocks, from, limit, byteBudget, expected) => {
    const served = new ServedState(storeOf(blocks));
    expect(await served.headers({ from, limit, byteBudget })).toHaveLength(expected);
  });

  it('are read only a little further than they are answered', async () => {
    const store = storeOf(1_000);
    await new ServedState(store).headers({ from: 0, limit: 1_024, byteBudget: 1 });
    expect(store.reads.headers).toBeLessThanOrEqual(64);
  });
});

describe('contents for peers', () => {
  const hashes = Array.from({ length: 600 }, (_, index) => Uint8Array.of(index % 256, index >> 8));

  it('are in the order of the hashes, with gaps where there is none', async () => {
    const served = new ServedState(storeOf(0));
    const found = await served.contents({ what: 'code', hashes, byteBudget: 1_000_000 });
    expect(found.map((content) => content !== undefined)).toEqual(
      hashes.map((hash) => (hash[0] ?? 1) % 2 === 0),
    );
  });

  it('end with the budget, the first one included always', async () => {
    const store = storeOf(0);
    const served = new ServedState(store);
    expect(await served.contents({ what: 'node', hashes, byteBudget: 3_000 })).toHaveLength(4);
    expect(store.reads.contents).toBeLessThanOrEqual(256);
    expect(await served.contents({ what: 'node', hashes: hashes.slice(0, 1), byteBudget: 0 })).toHaveLength(
      1,
    );
  });
});

describe('ranges for peers', () => {
  it('are undefined of a trie that is not stored', async () => {
    const served = new ServedState({ ...storeOf(0), findNode: async () => undefined });
    const questions = [{ root: keccak256(FIRST), origin: FIRST, limit: LAST }];
    expect(await served.ranges({ questions, byteBudget: 1 })).toEqual([undefined]);
  });

  it('of small tries are read together, and within the same bounds', async () => {
    const { tries, findNode } = await smallTries(200);
    const questions = tries.map((root) => ({ root, origin: FIRST, limit: LAST }));
    const bounds = { entries: 400, nodes: 10_000 };
    const served = new ServedState({ ...storeOf(0), findNode }, bounds);
    const ranges = await served.ranges({ questions, byteBudget: 1_000_000 });
    const counts = ranges.map((range) => range?.entries.length);
    expect(new Set(counts.slice(0, -1))).toEqual(new Set([ENTRIES]));
    const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    expect([sum >= bounds.entries - ENTRIES, sum <= bounds.entries + ENTRIES]).toEqual([true, true]);
    for (const [index, range] of ranges.entries()) verifyRange(questions[index]!, range!, bounds.entries);
  });

  it('pass on that the database fails', async () => {
    const findNode = () => Promise.reject(new Error('no database'));
    const questions = [{ root: keccak256(FIRST), origin: FIRST, limit: LAST }];
    await expect(
      new ServedState({ ...storeOf(0), findNode }).ranges({ questions, byteBudget: 1 }),
    ).rejects.toThrow('no database');
  });
});
