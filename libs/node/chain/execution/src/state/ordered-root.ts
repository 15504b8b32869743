import { rlpScalar } from '@tetrad/rlp';
import { hashFromBytes, type Hash } from '@tetrad/types';
import { EMPTY_TRIE_ROOT, Trie } from './trie.js';

/** Root of the trie RLP(index) → item: how a header commits to its transactions and receipts. */
export async function orderedTrieRoot(items: readonly Uint8Array[]): Promise<Hash> {
  const trie = new Trie(EMPTY_TRIE_ROOT, async () => undefined);
  for (const [index, item] of items.entries()) await trie.put(rlpScalar(index), item);
  return hashFromBytes(trie.commit(() => undefined));
}
