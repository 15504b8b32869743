import { TetradError } from '@tetrad/types';
import type { TrieEntry } from '../trie.js';

/** Keys of tries of accounts and storage are hashes. */
export const RANGE_KEY_BYTES = 32;

/** Which entries of a trie are wanted. */
export interface RangeQuestion {
  /** Hash of the top node. */
  readonly root: Uint8Array;
  /** The first key wanted, or where it would be (32). */
  readonly origin: Uint8Array;
  /** The range ends with the first entry that is here or behind (32). */
  readonly limit: Uint8Array;
}

/** Consecutive entries from the origin on, and what shows that none is left out between the origin and the last one. */
export interface TrieRange {
  /** In key order. Without entries the range claims that the trie has none from the origin on. */
  readonly entries: readonly TrieEntry[];
  /** The encoded nodes on the ways to the origin and to the last entry, each once; none when the entries are the whole trie. */
  readonly proof: readonly Uint8Array[];
}

/** The entries are not those of the trie, or the proof does not show it. */
export class RangeProofError extends TetradError {
  override readonly name = 'RangeProofError';
  override readonly code = 'INVALID_RANGE_PROOF';
}
