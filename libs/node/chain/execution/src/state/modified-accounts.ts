import { addressFromBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import { trieDifference, type DifferenceBounds } from './trie-difference.js';
import type { TrieEntry } from './trie.js';
import type { WorldState } from './world-state.js';

/** Accounts that differ, in the order of their hashed addresses. */
export type ModifiedAccounts =
  | { readonly kind: 'found'; readonly addresses: readonly Address[] }
  | { readonly kind: 'tooMany' }
  /** The preimage of a hashed address is not stored. */
  | { readonly kind: 'unnamed'; readonly hashedAddress: Hash };

/** Preimages that are read at the same time. */
const READ_AT_ONCE = 128;

/**
 * Accounts of the newer state that the older one does not have, or has with another nonce, balance, code or storage.
 * Changes on top of the roots are not looked at.
 *
 * Cost: as `trieDifference` over the accounts, and a preimage for each that is found
 *
 * @throws MissingTrieNodeError; as `giveWay`
 */
export async function modifiedAccounts(
  older: WorldState,
  newer: WorldState,
  bounds: DifferenceBounds,
): Promise<ModifiedAccounts> {
  const entries = await trieDifference(older.accountTrie(), newer.accountTrie(), bounds);
  if (entries === undefined) return { kind: 'tooMany' };
  const addresses: Address[] = [];
  for (let from = 0; from < entries.length; from += READ_AT_ONCE) {
    const part = entries.slice(from, from + READ_AT_ONCE);
    const preimages = await Promise.all(part.map(({ key }) => newer.findPreimage(key)));
    for (const [at, preimage] of preimages.entries()) {
      const { key } = part[at] as TrieEntry;
      if (preimage === undefined) return { kind: 'unnamed', hashedAddress: hashFromBytes(key) };
      addresses.push(addressFromBytes(preimage));
    }
    await bounds.giveWay?.();
  }
  return { kind: 'found', addresses };
}
