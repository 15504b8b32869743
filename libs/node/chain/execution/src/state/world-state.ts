import type { World } from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import type { StateChanges } from './state-changes.js';
import type { Trie } from './trie.js';

/** The fields of an account without its code and its slots. */
export interface AccountState {
  /** Balance in wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash;
  /** Root of the stored storage; includes changes of the world only after `settled`. */
  readonly storageRoot: Hash;
}

/**
 * A state to read, to execute in and to throw away or commit: that at a root, and changes on top of it.
 *
 * It has two interfaces. Executions use `evm`, which answers from memory or reports what is missing, so that it can be
 * fetched before the execution resumes. Other callers await one account, slot or code; such reads leave nothing behind
 * in `evm`. Between two executions both see the same. Nothing is written to the database from here.
 */
export interface WorldState {
  /** Root of the state without the changes. */
  readonly root: Hash;
  readonly evm: World;
  findAccount(address: Address): Promise<AccountState | undefined>;
  /**
   * The code of the account; empty without code.
   * @throws MissingTrieNodeError when it is not stored
   */
  readCode(address: Address): Promise<Uint8Array>;
  /**
   * Code of any account of the state, by its hash.
   * @throws MissingTrieNodeError when it is not stored
   */
  readCodeByHash(hash: Hash): Promise<Uint8Array>;
  /** The 32 bytes in the slot (32); zero when nothing is there. */
  readSlot(address: Address, slot: Uint8Array): Promise<Uint8Array>;
  /** The state at the root as it was before the changes. */
  base(): WorldState;
  /** An independent world with the same changes. Not in the middle of an execution. Cost: all that has changed */
  copy(): WorldState;
  /**
   * A world in which the changes of this one are part of the tries, so that proofs and dumps see them.
   *
   * Cost: as `commitBlock`; nothing without changes
   */
  settled(): Promise<WorldState>;
  /**
   * The difference between the root and the state with all changes: the new root, new nodes, codes and preimages. The
   * world keeps its root and its changes; after storing the result, the caller opens the next world at the new root.
   *
   * Cost: one trie path read and hashed per changed account and slot
   *
   * @param giveWay - awaited between accounts and slots, where other work may run meanwhile
   */
  commitBlock(giveWay?: () => Promise<void> | undefined): Promise<StateChanges>;
  /** Trie of the accounts at the root. */
  accountTrie(): Trie;
  /** Trie of an account's storage at the root. */
  storageTrie(root: Hash): Trie;
  /** The preimage of a hashed trie key: an address (20) or a storage slot (32); undefined when it is not stored. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
}
