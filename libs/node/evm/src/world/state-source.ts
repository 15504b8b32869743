import type { Hash } from '@tetrad/types';
import type { Word } from '../word/word.js';

/** An account as it is stored. */
export interface AccountRecord {
  readonly nonce: bigint;
  /** Wei. */
  readonly balance: bigint;
  readonly codeHash: Hash;
  /** Whether any slot is not zero. */
  readonly hasStorage: boolean;
  /**
   * Whether slots have to be asked for, where that is not the same: a state that is itself the end of executions has
   * slots that no storage under it knows.
   */
  readonly hasSlots?: boolean;
}

/** Something that an execution needs and that is not in memory. */
export type Missing =
  | { readonly kind: 'account'; readonly address: Word }
  | { readonly kind: 'slot'; readonly address: Word; readonly slot: Word }
  | { readonly kind: 'code'; readonly hash: Hash }
  | { readonly kind: 'blockHash'; readonly number: number };

/** Where what is missing comes from. */
export interface Supply {
  /**
   * Brings all of it into memory, where it stays at least until it is asked for.
   *
   * Fails: with whatever the storage fails with; the execution then ends with that error
   */
  fetch(missing: readonly Missing[]): Promise<void>;
}

/** The stored state under one world, as far as it is in memory; it never waits. */
export interface StateSource extends Supply {
  /** null: there is no such account; undefined: not in memory. */
  account(address: Word): AccountRecord | null | undefined;
  /** undefined: not in memory. Asked only of accounts that have storage. */
  slot(address: Word, slot: Word): Word | undefined;
  /** undefined: not in memory. */
  code(hash: Hash): Uint8Array | undefined;
}
