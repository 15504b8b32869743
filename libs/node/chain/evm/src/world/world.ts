import type { Hash } from '@tetrad/types';
import { EMPTY_CODE, Code } from '../code/code.js';
import type { CodeCache } from '../code/code-cache.js';
import { WordTable } from '../word/word-table.js';
import type { Word } from '../word/word.js';
import { Account, type AccountWorld } from './account.js';
import { Journal } from './journal.js';
import { Slot } from './slot.js';
import type { StateSource } from './state-source.js';

/** A slot that differs from what is stored. */
export interface SlotChange {
  readonly slot: Word;
  readonly value: Word;
  /** Whether the slot is not zero and the stored one is. */
  readonly isNew: boolean;
}

/** How an account differs from what is stored. */
export interface AccountChange {
  readonly address: Word;
  /** null when the account is gone. */
  readonly account: { readonly nonce: bigint; readonly balance: Word; readonly codeHash: Hash } | null;
  /** Whether the account does not exist in the stored state. */
  readonly isNew: boolean;
  /** Set when the code is not the stored one. */
  readonly code?: Code;
  /** Whether all stored slots are gone; `slots` comes on top. */
  readonly cleared: boolean;
  readonly slots: readonly SlotChange[];
}

/**
 * The state that executions read and change: a table over a source that answers without waiting.
 *
 * A read that neither can answer is noted in the journal and returns undefined; the execution pauses there, the missing
 * data is fetched, and the execution resumes.
 */
export class World implements AccountWorld {
  /** Accounts that differ from what is stored, or did. */
  readonly changed: Account[] = [];
  private readonly accounts = new WordTable<Account>();

  constructor(
    readonly source: StateSource,
    readonly journal: Journal,
    readonly codes: CodeCache,
  ) {}

  /**
   * An independent copy of the state with the same differences, after ended transactions.
   *
   * Cost: all accounts and slots that differ
   */
  copy(source = this.source, journal = new Journal()): World {
    const copy = new World(source, journal, this.codes);
    for (const account of this.changed) copy.accounts.add(account.copyTo(copy));
    return copy;
  }

  /** The account as far as it is known; undefined when it was never read. */
  known(address: Word): Account | undefined {
    return this.accounts.get(address);
  }

  account(address: Word): Account | undefined {
    const known = this.accounts.get(address);
    if (known !== undefined) return known;
    const stored = this.source.account(address);
    if (stored === undefined) return this.journal.miss(this.source, { kind: 'account', address });
    const account = new Account(address, this, stored);
    this.accounts.add(account);
    return account;
  }

  slot(account: Account, key: Word): Slot | undefined {
    const known = account.slots.get(key);
    if (known !== undefined) return known;
    const stored = account.hasStored ? this.source.slot(account.key, key) : 0;
    if (stored === undefined) {
      return this.journal.miss(this.source, { kind: 'slot', address: account.key, slot: key });
    }
    const slot = new Slot(key, stored);
    account.slots.add(slot);
    return slot;
  }

  code(account: Account): Code | undefined {
    if (account.code !== undefined) return account.code;
    const hash = account.codeHash;
    const known = this.codes.get(hash);
    if (known !== undefined) return (account.code = known);
    const bytes = this.source.code(hash);
    if (bytes === undefined) return this.journal.miss(this.source, { kind: 'code', hash });
    return (account.code = this.codes.add(new Code(bytes, hash)));
  }

  /** Addresses of all accounts that executions have read, existing or not. */
  accountsRead(): Word[] {
    return [...this.accounts].map(({ key }) => key);
  }

  /** Accounts and slots that are warm in the transaction that runs (EIP-2929). Cost: all that the world knows */
  warm(): { readonly address: Word; readonly slots: readonly Word[] }[] {
    const { journal } = this;
    return [...this.accounts].flatMap((account) => {
      if (!account.isWarm()) return [];
      const slots = [...account.slots].filter((slot) => slot.isWarm(journal)).map(({ key }) => key);
      return [{ address: account.key, slots }];
    });
  }

  /** All differences from what is stored, of ended transactions. */
  changes(): AccountChange[] {
    return this.changed.flatMap((account) => {
      const change = changeOf(account);
      return change === undefined ? [] : [change];
    });
  }
}

function changeOf(account: Account): AccountChange | undefined {
  const { key: address, stored, cleared } = account;
  const isNew = stored === null;
  if (!account.exists) return isNew ? undefined : { address, account: null, isNew, cleared, slots: [] };
  const { nonce, balance, codeHash } = account;
  const slots = account.changedSlots
    .filter((slot) => slot.value !== (cleared ? 0 : slot.stored))
    .map(({ key, value, stored }) => ({ slot: key, value, isNew: value !== 0 && (cleared || stored === 0) }));
  const isSame =
    stored !== null &&
    stored.nonce === nonce &&
    stored.codeHash === codeHash &&
    stored.balance === BigInt(balance);
  if (isSame && slots.length === 0 && !cleared) return undefined;
  const isNewCode = codeHash !== (stored?.codeHash ?? EMPTY_CODE.hash);
  return {
    address,
    account: { nonce, balance, codeHash },
    isNew,
    cleared,
    slots,
    ...(isNewCode && account.code !== undefined ? { code: account.code } : {}),
  };
}
