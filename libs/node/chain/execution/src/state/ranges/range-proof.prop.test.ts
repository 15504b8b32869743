import { verifyMerkleRangeProof } from '@ethereumjs/mpt';
import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { EMPTY_TRIE_ROOT, Trie, type TrieEntry } from '../trie.js';
import { readRange, type RangeBounds } from './read-range.js';
import { RangeProofError, type RangeQuestion, type TrieRange } from './trie-range.js';
import { verifyRange } from './verify-range.js';

const LAST_KEY = new Uint8Array(32).fill(255);

/** Few distinct first bytes, and few that differ at the end alone: ways share prefixes of every length, and short nodes are in others. */
const key = fc.tuple(fc.nat(3), fc.nat(40), fc.nat(3)).map(([family, member, end]) => {
  const bytes = keccak256(Uint8Array.of(member)).fill(family, 0, member % 31);
  bytes[31] = ((bytes[31] as number) & 0xee) | (end & 1) | ((end & 2) << 3);
  return bytes;
});
const value = fc.uint8Array({ minLength: 1, maxLength: 50 });
const contents = fc.array(fc.tuple(key, value), { maxLength: 50 });
const anywhere = fc.oneof(
  key,
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constant(new Uint8Array(32)),
);
const bounds = fc.record({
  entries: fc.integer({ min: 1, max: 30 }),
  bytes: fc.integer({ min: 1, max: 1_500 }),
  nodes: fc.integer({ min: 1, max: 60 }),
});

interface Stored {
  readonly root: Uint8Array;
  readonly nodes: Map<string, Uint8Array>;
  /** In key order. */
  readonly entries: readonly TrieEntry[];
  read(hash: Uint8Array): Promise<Uint8Array | undefined>;
}

async function store(list: readonly (readonly [Uint8Array, Uint8Array])[]): Promise<Stored> {
  const trie = new Trie(EMPTY_TRIE_ROOT, async () => undefined);
  for (const [key, value] of list) await trie.put(key, value);
  const nodes = new Map<string, Uint8Array>();
  const root = trie.commit((hash, encoded) => nodes.set(hexFromBytes(hash), encoded));
  const entries = (await trie.readAll(Infinity)) as TrieEntry[];
  return { root, nodes, entries, read: async (hash) => nodes.get(hexFromBytes(hash)) };
}

function described(entries: readonly TrieEntry[]): string[] {
  return entries.map(({ key, value }) => `${hexFromBytes(key)} ${hexFromBytes(value)}`);
}

const isBefore = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) < 0;

/** What the verified range says, worked out from all entries. */
function truth(stored: Stored, origin: Uint8Array, last: Uint8Array | undefined) {
  const from = stored.entries.filter(({ key }) => !isBefore(key, origin));
  const upTo = from.filter(({ key }) => last === undefined || !isBefore(last, key));
  return { entries: described(upTo), hasMore: upTo.length < from.length };
}

function assertTrue(stored: Stored, question: RangeQuestion, range: TrieRange): void {
  const { hasMore } = verifyRange(question, range, 1_000);
  const last = range.entries.at(-1)?.key;
  expect({ entries: described(range.entries), hasMore }).toEqual(truth(stored, question.origin, last));
}

/** Reads a whole trie by ranges, as a node does that does not have it. */
async function copyByRanges(stored: Stored, limits: RangeBounds) {
  const nodes = new Map<string, Uint8Array>();
  let origin: Uint8Array | undefined = new Uint8Array(32);
  while (origin !== undefined) {
    const question = { root: stored.root, origin, limit: LAST_KEY };
    const range = await readRange(question, stored.read, limits);
    const { hasMore, inside, boundary } = verifyRange(question, range, limits.entries);
    for (const { hash, encoded } of [...inside, ...boundary]) nodes.set(hexFromBytes(hash), encoded);
    origin = hasMore ? after((range.entries.at(-1) as TrieEntry).key) : undefined;
  }
  return nodes;
}

function after(key: Uint8Array): Uint8Array {
  const next = BigInt(hexFromBytes(key)) + 1n;
  return Buffer.from(next.toString(16).padStart(64, '0'), 'hex');
}

/** One change to an answer, by a server that lies. */
const tampering = fc.record({
  kind: fc.constantFrom(
    'omit',
    'change',
    'add',
    'swap',
    'truncate',
    'empty',
    'drop node',
    'other node',
    'flip',
  ),
  at: fc.nat(),
  key,
  value,
});
type Tampering = typeof tampering extends fc.Arbitrary<infer T> ? T : never;

function tamper(
  { entries, proof }: TrieRange,
  { kind, at, key, value }: Tampering,
  other: TrieRange,
): TrieRange {
  const [leaf, node] = [at % Math.max(entries.length, 1), at % Math.max(proof.length, 1)];
  const sorted = [...entries, { key, value }].sort((a, b) => Buffer.compare(a.key, b.key));
  switch (kind) {
    case 'omit':
      return { entries: entries.filter((_, index) => index !== leaf), proof };
    case 'change':
      return {
        entries: entries.map((entry, index) => (index === leaf ? { ...entry, value } : entry)),
        proof,
      };
    case 'add':
      return { entries: sorted, proof };
    case 'swap':
      return { entries: [...entries.slice(leaf), ...entries.slice(0, leaf)], proof };
    case 'truncate':
      return { entries: entries.slice(0, leaf), proof };
    case 'empty':
      return { entries: [], proof };
    case 'drop node':
      return { entries, proof: proof.filter((_, index) => index !== node) };
    case 'other node':
      return { entries, proof: other.proof };
    default:
      return { entries, proof: proof.map((bytes, index) => (index === node ? flipped(bytes, at) : bytes)) };
  }
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at % copy.length] = (copy[at % copy.length] as number) ^ (1 << (at % 8));
  return copy;
}

describe('ranges of a trie', () => {
  it('have the entries from the origin to the limit, within bounds, and are verified', async () => {
    await fc.assert(
      fc.asyncProperty(contents, anywhere, anywhere, bounds, async (list, origin, limit, limits) => {
        const stored = await store(list);
        const question = { root: stored.root, origin, limit };
        const range = await readRange(question, stored.read, limits);
        assertTrue(stored, question, range);
        const { length } = range.entries;
        expect(length).toBeLessThanOrEqual(limits.entries);
        const bytes = range.entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
        expect(length <= 1 || bytes <= limits.bytes).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are those that the EthereumJS trie verifies', async () => {
    await fc.assert(
      fc.asyncProperty(contents, anywhere, bounds, async (list, origin, limits) => {
        const stored = await store(list);
        const question = { root: stored.root, origin, limit: LAST_KEY };
        const { entries, proof } = await readRange(question, stored.read, limits);
        // It takes no proof-less range with keys, and no empty trie.
        const last = entries.at(-1)?.key;
        fc.pre(last !== undefined && proof.length > 0);
        const [keys, values] = [entries.map(({ key }) => key), entries.map(({ value }) => value)];
        const hasMore = await verifyMerkleRangeProof(stored.root, origin, last ?? origin, keys, values, [
          ...proof,
        ]);
        expect(hasMore).toBe(truth(stored, origin, last).hasMore);
      }),
      { numRuns: 150 },
    );
  });

  it('that follow each other give all nodes of the trie, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(contents, bounds, async (list, limits) => {
        const stored = await store(list);
        const copy = await copyByRanges(stored, limits);
        expect([...copy].sort()).toEqual([...stored.nodes].sort());
      }),
      { numRuns: 150 },
    );
  });

  it('that are tampered with are refused, or say nothing wrong', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        contents,
        contents,
        anywhere,
        bounds,
        fc.array(tampering, { minLength: 1, maxLength: 8 }),
        async (list, elsewhere, origin, limits, changes) => {
          const [stored, foreign] = [await store(list), await store(elsewhere)];
          const question = { root: stored.root, origin, limit: LAST_KEY };
          const range = await readRange(question, stored.read, limits);
          const other = await readRange({ ...question, root: foreign.root }, foreign.read, limits);
          for (const change of changes) {
            try {
              assertTrue(stored, question, tamper(range, change, other));
            } catch (error) {
              if (!(error instanceof RangeProofError)) throw error;
              refused += 1;
            }
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(400);
  });
});
