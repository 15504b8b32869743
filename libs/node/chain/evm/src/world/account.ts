import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import { EMPTY_CODE, type Code } from '../code/code.js';
import { add, subtract } from '../word/arithmetic.js';
import { WordTable, type TableEntry } from '../word/word-table.js';
import { toWord, type Word } from '../word/word.js';
import type { CodeCache } from '../code/code-cache.js';
import type { Change, Journal } from './journal.js';
import { TransientSlot, type Slot } from './slot.js';
import type { AccountRecord, StateSource } from './state-source.js';

/** The fields of an account without its storage. */
export interface AccountFields {
  exists: boolean;
  nonce: bigint;
  balance: Word;
  codeHash: Hash;
  code: Code | undefined;
}

/** A world as its accounts and frames see it. */
export interface AccountWorld {
  readonly source: StateSource;
  readonly journal: Journal;
  readonly changed: Account[];
  readonly codes: CodeCache;
  account(address: Word): Account | undefined;
  slot(account: Account, key: Word): Slot | undefined;
  code(account: Account): Code | undefined;
}

/** An account of a world, as executions have left it. Every change goes to the journal. */
export class Account implements TableEntry, AccountFields {
  hash = 0;
  exists: boolean;
  nonce: bigint;
  balance: Word;
  codeHash: Hash;
  /** undefined until the code is in memory. */
  code: Code | undefined;
  /** Numbers of transactions. */
  warmIn = 0;
  createdIn = 0;
  destroyedIn = 0;
  /** Whether slots are stored that this account does not know yet. */
  hasStored: boolean;
  /** Whether a stored storage was thrown away. */
  cleared = false;
  slots = new WordTable<Slot>();
  changedSlots: Slot[] = [];
  private before: AccountFields | undefined;
  private beforeOf = 0;
  private transient: WordTable<TransientSlot> | undefined;
  private changed = false;

  constructor(
    readonly key: Word,
    readonly world: AccountWorld,
    /** As it is stored under the world. */
    public stored: AccountRecord | null,
  ) {
    this.exists = stored !== null;
    this.nonce = stored?.nonce ?? 0n;
    this.balance = toWord(stored?.balance ?? 0n);
    this.codeHash = stored?.codeHash ?? EMPTY_KECCAK;
    this.code = this.codeHash === EMPTY_KECCAK ? EMPTY_CODE : undefined;
    this.hasStored = stored?.hasSlots ?? stored?.hasStorage ?? false;
  }

  /** The account before the transaction that runs. */
  original(): Readonly<AccountFields> {
    return this.beforeOf === this.world.journal.transaction ? (this.before as AccountFields) : this;
  }

  /** Nothing that EIP-161 would keep. */
  get isEmpty(): boolean {
    return this.nonce === 0n && this.balance === 0 && this.codeHash === EMPTY_KECCAK;
  }

  get isDead(): boolean {
    return !this.exists || this.isEmpty;
  }

  /** Creates the account if it does not exist, and marks it as touched (EIP-161). */
  touch(): void {
    if (!this.exists) {
      this.recordFields();
      this.exists = true;
    }
    this.world.journal.touched.push(this);
  }

  setNonce(nonce: bigint): void {
    this.recordFields();
    this.exists = true;
    this.nonce = nonce;
  }

  credit(wei: Word): void {
    this.touch();
    if (wei === 0) return;
    this.recordFields();
    this.balance = add(this.balance, wei);
  }

  /** The balance must suffice. */
  debit(wei: Word): void {
    this.touch();
    if (wei === 0) return;
    this.recordFields();
    this.balance = subtract(this.balance, wei);
  }

  setCode(code: Code): void {
    this.recordFields();
    this.exists = true;
    this.code = code;
    this.codeHash = code.hash;
  }

  markCreated(): void {
    const { journal } = this.world;
    journal.record(new StampChange(this, 'createdIn', this.createdIn));
    this.createdIn = journal.transaction;
  }

  /** The account goes when the transaction has ended. */
  destroy(): void {
    const { journal } = this.world;
    if (this.destroyedIn === journal.transaction) return;
    journal.record(new StampChange(this, 'destroyedIn', this.destroyedIn));
    journal.destroyed.push(this);
    this.destroyedIn = journal.transaction;
  }

  isWarm(): boolean {
    return this.warmIn === this.world.journal.transaction;
  }

  warm(): void {
    const { journal } = this.world;
    if (this.warmIn === journal.transaction) return;
    journal.record(new StampChange(this, 'warmIn', this.warmIn));
    this.warmIn = journal.transaction;
  }

  setSlot(slot: Slot, value: Word): void {
    this.markChanged();
    if (!slot.changed) this.addToChanged(slot);
    slot.set(value, this.world.journal);
  }

  transientSlot(key: Word): TransientSlot {
    const table = (this.transient ??= new WordTable<TransientSlot>());
    let slot = table.get(key);
    if (slot === undefined) table.add((slot = new TransientSlot(key)));
    return slot;
  }

  /** Sets the balance, whatever it was. */
  setBalance(wei: Word): void {
    this.recordFields();
    this.exists = true;
    this.balance = wei;
  }

  /** Empties the storage, between transactions. */
  emptyStorage(): void {
    this.markChanged();
    this.clearStorage();
  }

  /** The same account in another world, as ended transactions have left it. Cost: all slots that differ */
  copyTo(world: AccountWorld): Account {
    const copy = new Account(this.key, world, this.stored);
    const { exists, nonce, balance, codeHash, code, hasStored, cleared } = this;
    Object.assign(copy, { exists, nonce, balance, codeHash, code, hasStored, cleared });
    for (const slot of this.changedSlots) copy.addChanged(slot.copy());
    copy.markChanged();
    return copy;
  }

  /** Takes the account out of the world, between transactions. */
  remove(): void {
    this.markChanged();
    Object.assign(this, { exists: false, nonce: 0n, balance: 0, codeHash: EMPTY_KECCAK, code: EMPTY_CODE });
    if (this.hasStored || this.slots.size > 0) this.clearStorage();
  }

  private addChanged(slot: Slot): void {
    this.slots.add(slot);
    this.addToChanged(slot);
  }

  private addToChanged(slot: Slot): void {
    slot.changed = true;
    this.changedSlots.push(slot);
  }

  private clearStorage(): void {
    this.cleared ||= this.stored?.hasStorage ?? false;
    this.hasStored = false;
    this.slots = new WordTable<Slot>();
    this.changedSlots = [];
  }

  private recordFields(): void {
    this.markChanged();
    const { journal } = this.world;
    const change = new FieldsChange(this);
    if (this.beforeOf !== journal.transaction) {
      this.beforeOf = journal.transaction;
      this.before = change.fields;
    }
    journal.record(change);
  }

  private markChanged(): void {
    if (this.changed) return;
    this.changed = true;
    this.world.changed.push(this);
  }
}

class FieldsChange implements Change {
  readonly fields: AccountFields;

  constructor(private readonly account: Account) {
    const { exists, nonce, balance, codeHash, code } = account;
    this.fields = { exists, nonce, balance, codeHash, code };
  }

  undo(): void {
    const { account, fields } = this;
    account.exists = fields.exists;
    account.nonce = fields.nonce;
    account.balance = fields.balance;
    account.codeHash = fields.codeHash;
    account.code = fields.code;
  }
}

class StampChange implements Change {
  constructor(
    private readonly account: Account,
    private readonly stamp: 'warmIn' | 'createdIn' | 'destroyedIn',
    private readonly previous: number,
  ) {}

  undo(): void {
    this.account[this.stamp] = this.previous;
  }
}
