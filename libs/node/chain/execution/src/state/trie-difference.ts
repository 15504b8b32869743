import type { Resolved, Trie, TrieEntry } from './trie.js';
import { childOf, isEqualNode } from './trie-places.js';
import { packNibbles, type Leaf, type TrieNode } from './trie-node.js';

/** Work on one comparison of two tries. */
export interface DifferenceBounds {
  readonly entries: number;
  /** Places of both tries that are looked at. */
  readonly places: number;
  /** Awaited between pieces of the work. */
  readonly giveWay?: () => Promise<void> | undefined;
}

/** What both tries have under one path. */
interface Place {
  readonly path: readonly number[];
  readonly older: TrieNode | null;
  readonly newer: TrieNode;
}

/** A place whose nodes were read. */
interface ReadPlace {
  readonly path: readonly number[];
  readonly older: Resolved | null;
  readonly newer: Resolved;
}

/** Places whose nodes are read at the same time. */
const READ_AT_ONCE = 128;

/**
 * Entries of the newer trie that the older one does not have, or has with another value, in key order.
 *
 * Cost: reads the nodes on the paths to entries that differ, in both tries; equal parts are not read
 *
 * @returns undefined when there are more entries, or more places to look at, than the bounds say
 * @throws MissingTrieNodeError; as `giveWay`
 */
export async function trieDifference(
  older: Trie,
  newer: Trie,
  bounds: DifferenceBounds,
): Promise<TrieEntry[] | undefined> {
  const found: TrieEntry[] = [];
  const pending = newer.top === null ? [] : unequal({ path: [], older: older.top, newer: newer.top });
  for (let places = 0; pending.length > 0;) {
    const part = pending.splice(-READ_AT_ONCE);
    places += part.length;
    const read = await Promise.all(part.map((place) => resolve(place, older, newer)));
    for (const place of read) {
      const entry = entryOf(place);
      if (entry === undefined) pending.push(...below(place));
      else if (entry !== null) found.push(entry);
    }
    if (places > bounds.places || found.length > bounds.entries) return undefined;
    await bounds.giveWay?.();
  }
  return found.sort((a, b) => Buffer.compare(a.key, b.key));
}

async function resolve({ path, ...place }: Place, older: Trie, newer: Trie): Promise<ReadPlace> {
  const [before, after] = await Promise.all([
    place.older === null ? null : older.resolve(place.older),
    newer.resolve(place.newer),
  ]);
  return { path, older: before, newer: after };
}

/** The entry that differs; null when it is the same in both, undefined where a look further down is needed. */
function entryOf({ path, older, newer }: ReadPlace): TrieEntry | null | undefined {
  if (newer.kind !== 'leaf') return undefined;
  if (older !== null && older.kind !== 'leaf') return undefined;
  return older !== null && isSame(older, newer) ? null : entry(path, newer);
}

function isSame(one: Leaf, other: Leaf): boolean {
  return Buffer.compare(one.path, other.path) === 0 && Buffer.compare(one.value, other.value) === 0;
}

/** The places one nibble further down. */
function below({ path, older, newer }: ReadPlace): Place[] {
  return Array.from({ length: 16 }, (_, nibble) => nibble).flatMap((nibble) => {
    const child = childOf(newer, nibble);
    if (child === null) return [];
    return unequal({ path: [...path, nibble], older: childOf(older, nibble), newer: child });
  });
}

/** The place, unless both tries refer to the same node. */
function unequal(place: Place): Place[] {
  return isEqualNode(place.older, place.newer) ? [] : [place];
}

function entry(path: readonly number[], leaf: Leaf): TrieEntry {
  return { key: packNibbles([...path, ...leaf.path]), value: leaf.value };
}
