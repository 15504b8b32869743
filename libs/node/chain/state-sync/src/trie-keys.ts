import type { TrieRange } from '@tetrad/node-execution';
import { hexFromBytes } from '@tetrad/types';

/** Keys of tries of accounts and storage are hashes. */
const RANGE_KEY_BYTES = 32;

/** The first and the last key of a trie of hashed keys. */
export const FIRST_KEY = new Uint8Array(RANGE_KEY_BYTES);
export const LAST_KEY = new Uint8Array(RANGE_KEY_BYTES).fill(0xff);

/**
 * The key after the last one of a range that is not the last one of its trie.
 * @throws RangeError without entries, or behind the last key: no trie has more there
 */
export function keyAfter({ entries }: Pick<TrieRange, 'entries'>): Uint8Array {
  const last = entries.at(-1)?.key;
  const next = last && nextKey(last);
  if (next === undefined) throw new RangeError('no key follows');
  return next;
}

/** The key after another one; undefined after the last one that there may be. */
export function nextKey(key: Uint8Array): Uint8Array | undefined {
  if (Buffer.compare(key, LAST_KEY) === 0) return undefined;
  const next = BigInt(hexFromBytes(key)) + 1n;
  return Buffer.from(next.toString(16).padStart(2 * RANGE_KEY_BYTES, '0'), 'hex');
}
