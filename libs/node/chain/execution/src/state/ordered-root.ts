import { rlpScalar } from '@tetrad/rlp';
import { hashFromBytes, type Hash } from '@tetrad/types';
import { placeEntries, subtrie } from './subtrie.js';
import { rootHash } from './trie-node.js';
import { EMPTY_TRIE_ROOT, type TrieEntry } from './trie.js';

/** Indexes below this have one byte as RLP, which for 0 is the greatest of them: 0x80. */
const ONE_BYTE = 0x80;

/**
 * Root of the trie RLP(index) → item: how a header commits to its transactions and receipts.
 *
 * Cost: the trie is built from its sorted keys at once, and each of its nodes is hashed once
 */
export function orderedTrieRoot(items: readonly Uint8Array[]): Hash {
  const entries = items.map((value, index): TrieEntry => ({ key: rlpScalar(index), value }));
  const [zero, ...low] = entries.slice(0, ONE_BYTE);
  const sorted = zero === undefined ? [] : [...low, zero, ...entries.slice(ONE_BYTE)];
  const top = subtrie(placeEntries(sorted), 0);
  return hashFromBytes(top === null ? EMPTY_TRIE_ROOT : rootHash(top, () => undefined));
}
