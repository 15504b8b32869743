import { addressFromWord, trieRoot, type Account } from '@tetrad/node-evm';
import { pendingStorageRoot } from '@tetrad/node-execution';
import { encodeRlp } from '@tetrad/rlp';
import { bytesFromScalar, hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type { TwoWorlds } from './two-worlds.js';

/** Storage roots of accounts with changes that are not stored. */
export interface StorageRoots {
  storageRoot(account: Account): Promise<Hash>;
}

/** Roots of accounts over stored states. An account is in the state of its world, which for a public contract is the public one. */
export const storedRoots: StorageRoots = { storageRoot: pendingStorageRoot };

/**
 * Root over all contracts that an execution entered, after it. Parties compare it for flag 3.
 *
 * Layout: Merkle Patricia trie, key: address(20), not hashed; value: rlp[nonce, balance, storage root, code hash]
 *
 * @returns undefined when an address that was entered has no account, as one that destroyed itself Source:
 *   docs/spec/private-transactions.md#state-validation-root
 */
export async function stateValidationRoot(worlds: TwoWorlds, roots: StorageRoots): Promise<Hash | undefined> {
  const entries = new Map<string, Uint8Array>();
  for (const address of worlds.affected.keys()) {
    const account = worlds.accountOf(address, worlds.privateWorld);
    if (account === undefined) throw new Error('an account that was entered is not in memory');
    if (!account.exists) return undefined;
    const { nonce, balance, codeHash } = account;
    const root = hashToBytes(await roots.storageRoot(account));
    const fields = [bytesFromScalar(nonce), bytesFromScalar(BigInt(balance)), root, hashToBytes(codeHash)];
    entries.set(addressFromWord(address).slice(2), encodeRlp(fields));
  }
  return hashFromBytes(trieRoot(entries));
}
