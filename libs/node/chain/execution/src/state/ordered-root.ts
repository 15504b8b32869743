import { hashFromBytes, type Hash } from '@tetrad/types';
import { OrderedTrie } from './ordered-trie.js';
import { EMPTY_TRIE_ROOT } from './trie.js';

/** Memory of a trie that is kept for the next one. Units: bytes */
const KEPT_BYTES = 1024 * 1024;

/** One after the other uses it, since a root is computed at once. */
let trie = new OrderedTrie();

/**
 * Root of the trie RLP(index) → item: how a header commits to its transactions and receipts.
 *
 * Cost: each node is written and hashed once, without an allocation of its own
 */
export function orderedTrieRoot(items: readonly Uint8Array[]): Hash {
  if (items.length === 0) return hashFromBytes(EMPTY_TRIE_ROOT);
  const root = trie.root(items);
  if (trie.bytes > KEPT_BYTES) trie = new OrderedTrie();
  return root;
}
