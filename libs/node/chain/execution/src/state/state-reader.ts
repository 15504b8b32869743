import type { CodeCache, Word } from '@tetrad/node-evm';
import type { Hash } from '@tetrad/types';
import type { StoredAccount } from './stored-account.js';

/**
 * Reads stored state for worlds: nodes and codes by their hash, and flat accounts and slots of one root. A second state,
 * such as a private one, has another reader over the same nodes.
 *
 * Accounts and slots are keyed as in state-keys.ts. Methods whose names begin with `cached` are synchronous: they answer
 * from memory or return undefined.
 */
export interface StateReader {
  /** Decoded codes, for all worlds. */
  readonly programs: CodeCache;
  cachedNode(hash: Uint8Array): Uint8Array | undefined;
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  cachedCode(hash: Hash): Uint8Array | undefined;
  /** @throws MissingTrieNodeError when it is not stored */
  readCode(hash: Hash): Promise<Uint8Array>;
  /** The preimage of a hashed trie key: an address (20) or a storage slot (32); undefined when it is not stored. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** The entry of the flat state. null: the root has none; undefined: the flat state is not of this root */
  findFlat(root: Hash, key: string): Promise<Uint8Array | null | undefined>;
  /** null: the account does not exist at the root; undefined: not in the cache. */
  cachedAccount(root: Hash, account: string): StoredAccount | null | undefined;
  cachedSlot(root: Hash, slot: string): Word | undefined;
  /** Remembers a read, unless another root is cached by now. */
  rememberAccount(root: Hash, key: string, account: StoredAccount | null): void;
  rememberSlot(root: Hash, slot: string, value: Word): void;
}
