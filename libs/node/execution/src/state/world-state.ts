import type { World } from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import type { StateChanges } from './state-changes.js';
import type { Trie } from './trie.js';

/** What an account consists of besides its code and its slots. */
export interface AccountState {
  /** Wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash;
  /** Of what is stored; changes of the world count once it is settled. */
  readonly storageRoot: Hash;
}

/**
 * A state to read, to execute in and to throw away or commit: that at a root, and changes on top of it.
 *
 * It is seen in two ways. Executions take `evm`, which answers from memory or says what is missing, is fetched for apart
 * and goes on. Everybody else reads one account, slot or code and waits for it; such reads leave nothing behind in
 * `evm`. Between two executions both see the same. Nothing reaches the database from here.
 */
export interface WorldState {
  /** Root of the state without the changes. */
  readonly root: Hash;
  readonly evm: World;
  findAccount(address: Address): Promise<AccountState | undefined>;
  /** Empty when there is none. Fails: MissingTrieNodeError when it is not stored. */
  readCode(address: Address): Promise<Uint8Array>;
  /** Code of any account of the state, by its hash. Fails: MissingTrieNodeError when it is not stored. */
  readCodeByHash(hash: Hash): Promise<Uint8Array>;
  /** The 32 bytes in the slot (32); zero when nothing is there. */
  readSlot(address: Address, slot: Uint8Array): Promise<Uint8Array>;
  /** The state at the root as it was before the changes. */
  base(): WorldState;
  /** A world with the same changes; both go on apart. Not in the middle of an execution. Cost: all that has changed */
  copy(): WorldState;
  /**
   * A world in which the changes of this one are part of the tries, so that proofs and dumps see them.
   *
   * Cost: as `commitBlock`; nothing when there are no changes
   */
  settled(): Promise<WorldState>;
  /**
   * What leads from the root to the state with all changes: its root, new nodes, codes and preimages. The world stays
   * as it is, on its root and with its changes; whoever stores the result opens the next world at the new root.
   *
   * Cost: one trie path read and hashed per changed account and slot
   */
  commitBlock(): Promise<StateChanges>;
  /** Trie of the accounts at the root. */
  accountTrie(): Trie;
  /** Trie of an account's storage at the root. */
  storageTrie(root: Hash): Trie;
  /** What a hashed trie key stands for. */
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
}
