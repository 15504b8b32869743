import type { Resolved } from './trie.js';
import type { TrieNode } from './trie-node.js';

/** What is below a node that was read, as if each nibble of a path had a node. */
export function childOf(node: Resolved | null, nibble: number): TrieNode | null {
  if (node === null) return null;
  if (node.kind === 'branch') return node.children[nibble] ?? null;
  if (node.path[0] !== nibble) return null;
  const path = node.path.subarray(1);
  if (node.kind === 'leaf') return { kind: 'leaf', path, value: node.value };
  return path.length === 0 ? node.child : { kind: 'extension', path, child: node.child };
}

/** Whether both refer to the same stored node; nodes that are inside of others are looked at. */
export function isEqualNode(one: TrieNode | null, other: TrieNode | null): boolean {
  return (
    one?.kind === 'unresolved' && other?.kind === 'unresolved' && Buffer.compare(one.hash, other.hash) === 0
  );
}
