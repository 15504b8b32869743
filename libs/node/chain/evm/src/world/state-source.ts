import type { Hash } from '@tetrad/types';
import type { Word } from '../word/word.js';

/** An account as it is stored. */
export interface AccountRecord {
  readonly nonce: bigint;
  /** Balance in wei. */
  readonly balance: bigint;
  readonly codeHash: Hash;
  /** Whether any slot is not zero. */
  readonly hasStorage: boolean;
  /**
   * Whether the account has slots to read, when that differs from `hasStorage`: a state with changes that are not stored
   * yet has slots that the storage below it lacks.
   */
  readonly hasSlots?: boolean;
}

/** Data that an execution needs and that is not in memory. */
export type Missing =
  | { readonly kind: 'account'; readonly address: Word }
  | { readonly kind: 'slot'; readonly address: Word; readonly slot: Word }
  | { readonly kind: 'code'; readonly hash: Hash }
  | { readonly kind: 'blockHash'; readonly number: number };

/** Loads missing data. */
export interface Supply {
  /**
   * Loads all of it into memory, where it stays at least until it is read.
   * @throws with whatever the storage fails with; the execution then ends with that error
   */
  fetch(missing: readonly Missing[]): Promise<void>;
}

/** The stored state under one world, as far as it is in memory; it never waits. */
export interface StateSource extends Supply {
  /** null: the account does not exist; undefined: not in memory. */
  account(address: Word): AccountRecord | null | undefined;
  /** undefined: not in memory. Asked only of accounts that have storage. */
  slot(address: Word, slot: Word): Word | undefined;
  /** undefined: not in memory. */
  code(hash: Hash): Uint8Array | undefined;
}
