import type { Word } from '@tetrad/node-evm';
import type { Hash } from '@tetrad/types';
import type { StoredAccount } from './stored-account.js';

/** All changes from one state root to the next; the ledger stores them with the block. */
export interface StateChanges {
  readonly parentRoot: Hash;
  readonly stateRoot: Hash;
  readonly nodes: readonly { readonly hash: Uint8Array; readonly encoded: Uint8Array }[];
  readonly codes: readonly { readonly hash: Uint8Array; readonly code: Uint8Array }[];
  readonly preimages: readonly { readonly hash: Uint8Array; readonly value: Uint8Array }[];
  /** For caches and the flat state: final accounts and slots, and whose storage was emptied before. */
  readonly touched: TouchedState;
}

export interface ChangedAccount {
  readonly account: StoredAccount;
  /** As the tries have it. */
  readonly encoded: Uint8Array;
}

/** Keys are those of state-keys.ts. */
export interface TouchedState {
  /** null when the account is gone. */
  readonly accounts: ReadonlyMap<string, ChangedAccount | null>;
  /** Key of the account followed by that of the slot → value. */
  readonly slots: ReadonlyMap<string, Word>;
  /** Keys of accounts. */
  readonly cleared: ReadonlySet<string>;
}
