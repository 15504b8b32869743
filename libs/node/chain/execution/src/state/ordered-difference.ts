import { nibblesOf, packNibbles, type Leaf, type TrieNode } from './trie-node.js';
import { childOf, isEqualNode } from './trie-places.js';
import type { Resolved, Trie } from './trie.js';

/** What two tries have under a key; undefined: nothing. Not equal. */
export interface EntryDifference {
  readonly key: Uint8Array;
  readonly older: Uint8Array | undefined;
  readonly newer: Uint8Array | undefined;
}

/** Keys from the first on, below the end; without an end all from the first on. */
export interface KeyRange {
  readonly from: Uint8Array;
  readonly end: Uint8Array | undefined;
}

/** What both tries have under one path, which is not equal. */
interface Place {
  readonly kind: 'place';
  readonly path: readonly number[];
  readonly older: TrieNode | null;
  readonly newer: TrieNode | null;
}

type Item = Place | ({ readonly kind: 'entry' } & EntryDifference);

/** Places whose nodes are read at the same time. */
const READ_AT_ONCE = 128;

/**
 * The entries of a range of keys that differ between two tries: what was removed, too. In key order, some at a time.
 *
 * Cost: reads the nodes on the paths to entries that differ, in both tries; equal parts are not read, nor what is outside of the range
 *
 * @throws MissingTrieNodeError
 */
export async function* orderedDifference(
  older: Trie,
  newer: Trie,
  { from, end }: KeyRange,
): AsyncGenerator<readonly EntryDifference[]> {
  const range = new NibbleRange(from, end);
  // The first of them in key order is the last one of the array.
  const pending: Item[] = unequal({ kind: 'place', path: [], older: older.top, newer: newer.top });
  while (pending.length > 0) {
    const done: EntryDifference[] = [];
    for (let item = pending.at(-1); item?.kind === 'entry'; item = pending.at(-1)) {
      done.push(item);
      pending.pop();
    }
    if (done.length > 0) yield done;
    const part = pending.splice(-READ_AT_ONCE);
    const opened = await Promise.all(part.map((item) => open(item, { older, newer, range })));
    for (const items of opened) pending.push(...items.reverse());
  }
}

interface Compared {
  readonly older: Trie;
  readonly newer: Trie;
  readonly range: NibbleRange;
}

/** What is one step below a place, in key order. */
async function open(item: Item, { older, newer, range }: Compared): Promise<Item[]> {
  if (item.kind === 'entry') return [item];
  const [before, after] = await Promise.all([
    item.older === null ? null : older.resolve(item.older),
    item.newer === null ? null : newer.resolve(item.newer),
  ]);
  if (isLeafOrNothing(before) && isLeafOrNothing(after))
    return entriesAt(item.path, before, after).filter(({ key }) => range.has(key));
  return Array.from({ length: 16 }, (_, nibble) => nibble).flatMap((nibble) => {
    const path = [...item.path, nibble];
    if (!range.meets(path)) return [];
    const children = { older: childOf(before, nibble), newer: childOf(after, nibble) };
    return unequal({ kind: 'place', path, ...children });
  });
}

function isLeafOrNothing(node: Resolved | null): node is Leaf | null {
  return node === null || node.kind === 'leaf';
}

function entriesAt(
  path: readonly number[],
  before: Leaf | null,
  after: Leaf | null,
): Extract<Item, { kind: 'entry' }>[] {
  const [older, newer] = [before, after].map((leaf) => leaf && packNibbles([...path, ...leaf.path]));
  const entry = (key: Uint8Array, of: { older?: Uint8Array; newer?: Uint8Array }) =>
    ({ kind: 'entry', key, older: of.older, newer: of.newer }) as const;
  if (before && after && older && newer && Buffer.compare(older, newer) === 0) {
    const isSame = Buffer.compare(before.value, after.value) === 0;
    return isSame ? [] : [entry(older, { older: before.value, newer: after.value })];
  }
  return [
    ...(before && older ? [entry(older, { older: before.value })] : []),
    ...(after && newer ? [entry(newer, { newer: after.value })] : []),
  ].sort((one, other) => Buffer.compare(one.key, other.key));
}

function unequal(place: Place): Place[] {
  const isNothing = place.older === null && place.newer === null;
  return isNothing || isEqualNode(place.older, place.newer) ? [] : [place];
}

/** A range of keys by the paths in a trie. */
class NibbleRange {
  private readonly first: Uint8Array;
  private readonly above: Uint8Array | undefined;

  constructor(
    private readonly from: Uint8Array,
    private readonly end: Uint8Array | undefined,
  ) {
    this.first = nibblesOf(from);
    this.above = end && nibblesOf(end);
  }

  has(key: Uint8Array): boolean {
    return (
      Buffer.compare(key, this.from) >= 0 && (this.end === undefined || Buffer.compare(key, this.end) < 0)
    );
  }

  /** Whether keys below the path may be in the range. */
  meets(path: readonly number[]): boolean {
    const place = Uint8Array.from(path);
    const isBefore = Buffer.compare(place, this.first.subarray(0, place.length)) < 0;
    return !isBefore && (this.above === undefined || Buffer.compare(place, this.above) < 0);
  }
}
