import type { Account } from '@ethereumjs/util';
import type { Hash } from '@tetrad/types';

/** Everything that leads from one state root to the next; the ledger stores it with the block. */
export interface StateChanges {
  readonly parentRoot: Hash;
  readonly stateRoot: Hash;
  readonly nodes: readonly { readonly hash: Uint8Array; readonly encoded: Uint8Array }[];
  readonly codes: readonly { readonly hash: Uint8Array; readonly code: Uint8Array }[];
  readonly preimages: readonly { readonly hash: Uint8Array; readonly value: Uint8Array }[];
  /** For the caches only: final accounts and slots, and whether a storage was emptied. */
  readonly touched: TouchedState;
}

export interface TouchedState {
  /** Unprefixed address → account, null when it is gone. */
  readonly accounts: ReadonlyMap<string, Account | null>;
  /** Unprefixed address followed by the unprefixed slot → value without leading zeros. */
  readonly slots: ReadonlyMap<string, Uint8Array>;
  readonly clearedStorage: boolean;
}
