import { beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { hexFromBytes } from '@tetrad/types';
import { EMPTY_TRIE_ROOT, MissingTrieNodeError, Trie, type TrieEntry } from '../trie.js';
import { readRange } from './read-range.js';
import { RangeProofError, type TrieRange } from './trie-range.js';
import { verifyRange } from './verify-range.js';

const FIRST_KEY = new Uint8Array(32);
const LAST_KEY = new Uint8Array(32).fill(255);
const ENTRIES = 3_000;
const MOST = 4_096;
const ALL = { entries: MOST, bytes: 1 << 20, nodes: 1 << 20 };

const nodes = new Map<string, Uint8Array>();
let root: Uint8Array;
let entries: readonly TrieEntry[];
let reads = 0;

async function read(hash: Uint8Array): Promise<Uint8Array | undefined> {
  reads += 1;
  return nodes.get(hexFromBytes(hash));
}

beforeAll(async () => {
  const trie = new Trie(EMPTY_TRIE_ROOT, read);
  for (let n = 0; n < ENTRIES; n += 1)
    await trie.put(keccak256(Uint8Array.of(n >> 8, n & 255)), new Uint8Array(70).fill(1 + (n % 200)));
  root = trie.commit((hash, encoded) => nodes.set(hexFromBytes(hash), encoded));
  entries = (await trie.readAll(ENTRIES)) as TrieEntry[];
});

const keyAt = (index: number) => (entries[index] as TrieEntry).key;

/** Twenty entries from the middle of the trie, and the question that they answer. */
async function middle() {
  const question = { root, origin: keyAt(1_000), limit: keyAt(1_019) };
  return { question, range: await readRange(question, read, ALL) };
}

async function refusalOf(change: (range: TrieRange) => Partial<TrieRange>): Promise<string> {
  const { question, range } = await middle();
  return reasonOf(() => verifyRange(question, { ...range, ...change(range) }, MOST));
}

function reasonOf(verify: () => unknown): string {
  try {
    verify();
  } catch (error) {
    if (error instanceof RangeProofError) return error.message;
    throw error;
  }
  return 'verified';
}

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, index) => index !== at);
}

/** A node that is nested as deep as its bytes allow. */
function nested(bytes: number): Uint8Array {
  let tree: Uint8Array = Uint8Array.of(0xc0);
  while (tree.length < bytes) tree = encodeList([Uint8Array.of(0x16), tree]);
  return tree;
}

function encodeList(items: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(items);
  const prefix =
    content.length < 56
      ? [0xc0 + content.length]
      : content.length < 256
        ? [0xf8, content.length]
        : [0xf9, content.length >> 8, content.length & 255];
  return Buffer.concat([Uint8Array.from(prefix), content]);
}

describe('verifyRange', () => {
  it('takes a range from the middle of a trie, and tells that there is more', async () => {
    const { question, range } = await middle();
    expect(range.entries.map(({ key }) => hexFromBytes(key))).toEqual(
      entries.slice(1_000, 1_020).map(({ key }) => hexFromBytes(key)),
    );
    expect(verifyRange(question, range, MOST)).toMatchObject({ hasMore: true });
  });

  it('takes a whole trie without a proof', async () => {
    const question = { root, origin: FIRST_KEY, limit: LAST_KEY };
    const range = await readRange(question, read, ALL);
    expect([range.entries.length, range.proof.length]).toEqual([ENTRIES, 0]);
    const { hasMore, inside } = verifyRange(question, range, MOST);
    expect(hasMore).toBe(false);
    expect(new Set(inside.map(({ hash }) => hexFromBytes(hash)))).toEqual(new Set(nodes.keys()));
  });

  it('takes an empty range behind the last entry, and of the empty trie', async () => {
    const question = { root, origin: LAST_KEY, limit: LAST_KEY };
    const range = await readRange(question, read, ALL);
    expect(range.entries).toEqual([]);
    expect(verifyRange(question, range, MOST)).toMatchObject({ hasMore: false, inside: [] });
    const empty = { ...question, root: EMPTY_TRIE_ROOT };
    expect(verifyRange(empty, await readRange(empty, read, ALL), MOST).hasMore).toBe(false);
  });

  it('refuses an entry that is left out, first, last or between', async () => {
    const leftOut = (at: number) => refusalOf((range) => ({ entries: without(range.entries, at) }));
    expect(await leftOut(0)).toBe('entries are left out');
    expect(await leftOut(10)).toMatch(/^entries are /);
    expect(await leftOut(19)).not.toBe('verified');
  });

  it('refuses an entry with another value or key', async () => {
    const changed = (at: number, change: Partial<TrieEntry>) =>
      refusalOf((range) => ({
        entries: range.entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry)),
      }));
    for (const at of [0, 10, 19])
      expect(await changed(at, { value: new Uint8Array(70).fill(250) })).toBe(
        'entries are not those of the trie',
      );
    expect(await changed(0, { key: FIRST_KEY })).toBe('keys are not in order, or before the origin');
    expect(await changed(3, { key: new Uint8Array(31) })).toBe('a key has 32 bytes');
    expect(await changed(3, { value: new Uint8Array(0) })).toBe('a value has 1 to 128 bytes');
    expect(await changed(3, { value: new Uint8Array(129) })).toBe('a value has 1 to 128 bytes');
  });

  it('refuses an entry that the trie does not have', async () => {
    const key = Uint8Array.from(keyAt(1_005));
    key[31] = (key[31] as number) ^ 1;
    const added = await refusalOf((range) => ({
      entries: [...range.entries, { key, value: Uint8Array.of(1) }].sort((a, b) =>
        Buffer.compare(a.key, b.key),
      ),
    }));
    expect(added).toBe('entries are not those of the trie');
  });

  it('refuses entries out of order, twice, or behind the limit', async () => {
    expect(await refusalOf(({ entries }) => ({ entries: entries.toReversed() }))).toMatch(
      /^keys are not in order/,
    );
    expect(
      await refusalOf((range) => ({ entries: [...range.entries, range.entries[19] as TrieEntry] })),
    ).toMatch(/^keys are not in order/);
    const { question } = await middle();
    const longer = await readRange({ ...question, limit: keyAt(1_030) }, read, ALL);
    expect(reasonOf(() => verifyRange(question, longer, MOST))).toBe('keys go on behind the limit');
  });

  it('refuses a claim that there is nothing', async () => {
    const { question } = await middle();
    const trie = new Trie(root, read);
    const proof = await trie.prove(question.origin);
    expect(reasonOf(() => verifyRange(question, { entries: [], proof }, MOST))).toBe('entries are left out');
    expect(reasonOf(() => verifyRange(question, { entries: [], proof: [] }, MOST))).toBe(
      'the entries have another root',
    );
  });

  it('refuses a proof without a node, with another one, with one twice, or of another root', async () => {
    const { range } = await middle();
    for (const at of range.proof.keys())
      expect(await refusalOf(({ proof }) => ({ proof: without(proof, at) }))).toBe(
        'a node on the way is not in the proof',
      );
    expect(await refusalOf(({ proof }) => ({ proof: [...proof, proof[0] as Uint8Array] }))).toBe(
      'a node is in the proof twice',
    );
    const foreign = await new Trie(root, read).prove(keyAt(2_500));
    expect(await refusalOf(({ proof }) => ({ proof: [...proof, foreign.at(-1) as Uint8Array] }))).toBe(
      'the proof has nodes that are on no way',
    );
    const { question } = await middle();
    const elsewhere = { ...question, root: keccak256(Uint8Array.of(1)) };
    expect(reasonOf(() => verifyRange(elsewhere, range, MOST))).toBe('a node on the way is not in the proof');
  });

  it('refuses what is too large before it hashes anything', async () => {
    const { question, range } = await middle();
    expect(reasonOf(() => verifyRange(question, range, 19))).toBe('a range has 19 entries at most');
    expect(await refusalOf(() => ({ proof: new Array(131).fill(Uint8Array.of(0xc0)) }))).toBe(
      'a proof has 130 nodes at most',
    );
    expect(await refusalOf(() => ({ proof: [new Uint8Array(601)] }))).toBe('a node has more than 600 bytes');
  });

  it('refuses nodes that no trie has, also when the root is theirs', () => {
    const hash = keccak256(Uint8Array.of(1));
    const value = Uint8Array.of(1);
    const none = new Uint8Array(0);
    const sixteen = new Array<Uint8Array>(16).fill(none);
    const malformed = [
      nested(590),
      Uint8Array.of(0xc0),
      Uint8Array.of(0x80),
      // Without a flag, with an unknown flag, with a path that leads nowhere, with a short hash.
      encodeRlp([none, hash]),
      encodeRlp([Uint8Array.of(0x50), value]),
      encodeRlp([Uint8Array.of(0x00), hash]),
      encodeRlp([Uint8Array.of(0x11), hash.subarray(1)]),
      // A branch with a value of its own, one with an item more, and a leaf that is not as deep as a key is long.
      encodeRlp([...sixteen, value]),
      encodeRlp([...sixteen, none, none]),
      encodeRlp([Uint8Array.of(0x20), value]),
    ];
    for (const node of malformed) {
      const question = { root: keccak256(node), origin: FIRST_KEY, limit: LAST_KEY };
      expect(reasonOf(() => verifyRange(question, { entries: [], proof: [node] }, MOST))).toMatch(
        /^(not a trie node|a way has not the length of a key)$/,
      );
    }
  });
});

describe('readRange', () => {
  it('stops at each of its bounds, with one entry at least', async () => {
    const from = { root, origin: keyAt(500), limit: LAST_KEY };
    const count = async (bounds: Partial<typeof ALL>) =>
      (await readRange(from, read, { ...ALL, ...bounds })).entries.length;
    expect(await count({ entries: 7 })).toBe(7);
    expect(await count({ bytes: 1_020 })).toBe(10);
    expect(await count({ bytes: 1 })).toBe(1);
    expect(await count({ nodes: 1 })).toBeGreaterThanOrEqual(1);
    reads = 0;
    await count({ nodes: 200 });
    expect(reads).toBeLessThan(300);
  });

  it('ends with the first entry behind a limit that is between entries', async () => {
    const between = Uint8Array.from(keyAt(500));
    between[31] = (between[31] as number) ^ 1;
    const [origin, limit] = [between, between].map((key) => Uint8Array.from(key)) as [Uint8Array, Uint8Array];
    const range = await readRange({ root, origin, limit }, read, ALL);
    expect(range.entries).toHaveLength(1);
    expect(verifyRange({ root, origin, limit }, range, MOST).hasMore).toBe(true);
  });

  it('gives way between pieces of the work', async () => {
    let pieces = 0;
    const giveWay = async () => void (pieces += 1);
    await readRange({ root, origin: FIRST_KEY, limit: LAST_KEY }, read, { ...ALL, giveWay });
    expect(pieces).toBeGreaterThan(ENTRIES / 256);
  });

  it('of a trie that is not stored fails', async () => {
    const question = { root: keccak256(Uint8Array.of(1)), origin: FIRST_KEY, limit: LAST_KEY };
    await expect(readRange(question, read, ALL)).rejects.toThrow(MissingTrieNodeError);
  });
});
