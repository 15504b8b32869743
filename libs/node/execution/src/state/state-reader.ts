import type { CodeCache, Word } from '@tetrad/node-evm';
import type { Hash } from '@tetrad/types';
import type { StoredAccount } from './stored-account.js';

/**
 * Where the states under worlds are read: nodes and codes by their hash, and on top of that accounts and slots of one
 * root, flat. A second state, such as a private one, has a reader of its own over the same nodes.
 *
 * Accounts and slots are keyed as in state-keys.ts. What begins with `cached` answers from memory or says that it
 * cannot, and never waits.
 */
export interface StateReader {
  /** Decoded codes, for all worlds. */
  readonly programs: CodeCache;
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  cachedCode(hash: Hash): Uint8Array | undefined;
  /** Fails: MissingTrieNodeError when it is not stored. */
  readCode(hash: Hash): Promise<Uint8Array>;
  /** What a hashed trie key stands for. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** The entry of the flat state. null: the root has none; undefined: there is no flat state of the root */
  findFlat(root: Hash, key: string): Promise<Uint8Array | null | undefined>;
  /** null: there is no such account at the root; undefined: the cache cannot tell. */
  cachedAccount(root: Hash, account: string): StoredAccount | null | undefined;
  cachedSlot(root: Hash, slot: string): Word | undefined;
  /** Remembers a read, unless another root is cached by now. */
  rememberAccount(root: Hash, key: string, account: StoredAccount | null): void;
  rememberSlot(root: Hash, slot: string, value: Word): void;
}
