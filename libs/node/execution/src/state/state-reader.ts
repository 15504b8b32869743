import type { Account } from '@ethereumjs/util';
import type { Hash } from '@tetrad/types';

/**
 * What a world reads below its own changes. Private state joins here: a world of its own over a reader of its own.
 *
 * Accounts and slots are keyed by their bytes as latin-1 text, slots behind the address they belong to.
 */
export interface StateReader {
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** Code by its hash. Fails: MissingTrieNodeError when it is not stored. */
  readCode(hash: Uint8Array): Promise<Uint8Array>;
  /** What a hashed trie key stands for. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** The account as cached for the root; undefined when the cache cannot tell. */
  cachedAccount(root: Hash, address: string): { readonly account: Account | null } | undefined;
  cachedSlot(root: Hash, slot: string): Uint8Array | undefined;
  /** Remembers a read, unless another root is cached by now. */
  rememberAccount(root: Hash, address: string, account: Account | null): void;
  rememberSlot(root: Hash, slot: string, value: Uint8Array): void;
}
