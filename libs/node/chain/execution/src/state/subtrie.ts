import { nibblesOf, type Branch, type TrieNode } from './trie-node.js';
import type { TrieEntry } from './trie.js';

/** An entry whose key is taken apart: one nibble a byte. */
export interface PlacedEntry {
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

/** Consecutive entries of a list, without copying it. */
export interface Slice {
  readonly entries: readonly PlacedEntry[];
  readonly from: number;
  readonly to: number;
}

export function placeEntries(entries: readonly TrieEntry[]): Slice {
  const placed = entries.map(({ key, value }) => ({ path: nibblesOf(key), value }));
  return { entries: placed, from: 0, to: placed.length };
}

/**
 * The node below a path, from all entries there are below it; null without any.
 *
 * Cost: linear in the entries times the nibbles of a key, which bounds the recursion too
 *
 * @param slice - in key order, each key once; all begin with the same `depth` nibbles
 */
export function subtrie(slice: Slice, depth: number): TrieNode | null {
  const { entries, from, to } = slice;
  const [first, last] = [entries[from], entries[to - 1]];
  if (from === to || first === undefined || last === undefined) return null;
  if (from + 1 === to) return { kind: 'leaf', path: first.path.subarray(depth), value: first.value };
  const shared = sharedLength(first.path, last.path, depth);
  const branch = branchOf(slice, depth + shared);
  if (shared === 0) return branch;
  return { kind: 'extension', path: first.path.subarray(depth, depth + shared), child: branch };
}

function branchOf(slice: Slice, depth: number): Branch {
  const children = slicesByNibble(slice, depth).map((part) => subtrie(part, depth + 1));
  return { kind: 'branch', children };
}

/** The entries by the nibble that they have at the depth: sixteen slices, of which some are empty. */
export function slicesByNibble({ entries, from, to }: Slice, depth: number): Slice[] {
  let end = from;
  return Array.from({ length: 16 }, (_, nibble) => {
    const begin = end;
    while (end < to && entries[end]?.path[depth] === nibble) end += 1;
    return { entries, from: begin, to: end };
  });
}

/** How many nibbles both paths have in common from the depth on. */
function sharedLength(a: Uint8Array, b: Uint8Array, depth: number): number {
  let at = depth;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at - depth;
}
